// SPIN takes back a receive by putting the value of the variable into the channel.
// If the message did not fit, another one is there afterwards.
// safety: assertion, since 3 has become 1 when the second option is tried; by the manual 1 cannot be received

chan c = [1] of { int }; bool b;
active proctype P() { c!3; if :: c?b :: c?1 -> assert(false) fi }
