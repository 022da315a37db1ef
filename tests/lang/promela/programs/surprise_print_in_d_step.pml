// A d_step that begins with printf can be executed between the two halves of a handshake, which is lost then.
// safety: invalid end state, since S waits forever, as it should; but there are fewer states

chan c = [0] of { byte };
active proctype D() { d_step { printf("d\n") } }
active proctype S() { atomic { skip; c!3 } }
