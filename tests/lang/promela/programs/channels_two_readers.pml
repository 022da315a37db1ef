// Each message goes to one reader.
// safety: no error, since the sum is 3

chan c = [2] of { byte }; byte sum, n;
active [2] proctype R() { byte x; c?x; atomic { sum = sum + x; n++ } }
active proctype S() { c!1; c!2; n == 2; assert(sum == 3) }
