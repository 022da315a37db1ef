// A record can contain a record.
// safety: no error, since o.i.x has been assigned

typedef I { byte x = 3 }
typedef O { I i; byte y }
O o;
active proctype P() { assert(o.i.x == 3); o.i.x++; assert(o.i.x == 4) }
