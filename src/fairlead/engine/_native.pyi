"""The engine of fairlead: exploration and search, in C++."""

from collections.abc import Callable, Sequence
import enum

class Limit(enum.Enum):
    """What can be used up."""

    MEMORY = 0

    STATES = 1

    TIME = 2

    DISK = 3

class EngineLimit(Exception):
    """A `Limit` is used up; the argument says which."""

class EngineFault(Exception):
    """
    The model failed at run time: the number of the site, and the value at fault.
    """

class Op(enum.IntEnum):
    """
    The operations of code; native/program/bytecode.hpp has their operands.
    """

    END = 0

    CONST = 1

    SHARED = 2

    PARAMETER = 3

    LOCAL = 4

    SHARED_AT = 5

    LOCAL_AT = 6

    NOT = 7

    NEGATE = 8

    ADD = 9

    SUBTRACT = 10

    MULTIPLY = 11

    DIVIDE = 12

    MODULO = 13

    EQUAL = 14

    UNEQUAL = 15

    LESS = 16

    GREATER = 17

    LESS_EQUAL = 18

    GREATER_EQUAL = 19

    BIT_AND = 20

    BIT_OR = 21

    BIT_XOR = 22

    JUMP = 23

    JUMP_IF_FALSE = 24

    AND_THEN = 25

    OR_ELSE = 26

    CHECK_RANGE = 27

    STORE_SHARED = 28

    STORE_LOCAL = 29

    STORE_SHARED_AT = 30

    STORE_LOCAL_AT = 31

    LOOP = 32

    SHARED_AT_PARAMETER = 33

    SHARED_EQUAL_CONST = 34

    SHARED_UNEQUAL_CONST = 35

    EQUAL_CONST = 36

    RECEIVED = 37

    SHARED_AT_STRIDE = 38

    ENQUEUE = 39

    DEQUEUE = 40

    POP = 41

    CALL = 46

    GATHER = 47

    GATHER_LOCAL = 48

    BUILT_IN = 49

    FRESH = 50

    KEEP = 51

    KEEP_SHARED = 52

    EQUAL_VALUES = 53

STACK_DEPTH: int = 256

NO_CODE: int = -1

class ArgumentType(enum.Enum):
    """How an argument of an event is shown."""

    INTEGER = 0

    BOOLEAN = 1

    MIXED = 2

    VALUE = 3

MIXED_FALSE: int = -2147483648

MIXED_TRUE: int = -2147483647

class MoveKind(enum.IntEnum):
    """What kind of step an edge makes."""

    EVENT = 0

    INTERNAL = 1

    TERMINATION = 2

    SEND = 3

    RECEIVE = 4

class Handshake:
    """What an edge sends or receives by a handshake."""

    def __init__(
        self, channel: int, index: int, values: Sequence[int], fields: int, accepts: int = -1
    ) -> None: ...

class Position:
    """A position of a process text, with its edges."""

    def __init__(self, composite: bool) -> None: ...
    @property
    def condition(self) -> int: ...
    @condition.setter
    def condition(self, arg: int, /) -> None: ...
    def add_edge(
        self,
        kind: MoveKind,
        synchronises: bool,
        name: int,
        target: int,
        guard: int = -1,
        update: int = -1,
        label_arguments: Sequence[int] = [],
        target_arguments: Sequence[int] = [],
        label_is_fixed: bool = True,
        target_is_fixed: bool = True,
        handshake: Handshake | None = None,
        annotation: int = 255,
    ) -> None: ...

NOT_ANNOTATED: int = 255

class NodeKind(enum.Enum):
    """The kinds of operators of trees."""

    LEAF = 0

    PARALLEL = 1

    SEQUEL = 2

    CHOICE = 3

    GUARDED = 4

    EXTERNAL = 5

    INTERRUPT = 6

    HIDDEN = 7

    ATOMIC = 8

    HIGH = 9

    LOW = 10

class Operator:
    """An operator of a tree, with all that is fixed in it."""

    def __init__(
        self,
        kind: NodeKind,
        process: int = 4294967295,
        ending: int = 4294967295,
        tag: int = 4294967295,
        synchronises: bool = False,
        events: Sequence[tuple[int, Sequence[int]]] = [],
        ends: Sequence[int] | None = None,
    ) -> None: ...
    @property
    def kind(self) -> NodeKind: ...
    @property
    def process(self) -> int: ...
    @property
    def ending(self) -> int: ...
    @property
    def tag(self) -> int: ...
    @property
    def synchronises(self) -> bool: ...
    @property
    def events(self) -> dict[int, list[int]]: ...
    @property
    def ends(self) -> list[int] | None: ...

class PlaceFamily:
    """Places, one for each tuple of members of some blocks, row by row."""

    def __init__(self, blocks: Sequence[int], places: Sequence[int], holds: int) -> None: ...

NONE: int = 4294967295

STOP_LOCAL: int = 0

SKIP_LOCAL: int = 1

TERMINATED_LOCAL: int = 2

ERROR_LOCAL: int = 3

COUNTED_POSITION: int = 4294967294

TREE_POSITION: int = 4294967293

NESTING_LIMIT: int = 120

EXACT: int = -1

IDLE_ACTION: int = 0

class ValueKind(enum.Enum):
    """What kind of value a number stands for."""

    OPAQUE = 0

    INTEGERS = 1

    BOOLEANS = 2

    SET = 3

    LIST = 4

    QUEUE = 5

    STACK = 6

    HASH_TABLE = 7

class Values:
    """The values of a model that are not integers, by number."""

    def __init__(self) -> None: ...
    @property
    def count(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
    def intern(self, kind: ValueKind, words: Sequence[int]) -> int:
        """The number of a container."""

    def add_opaque(self) -> int:
        """The number of a new value of which only Python knows more."""

    def kind(self, number: int) -> ValueKind: ...
    def words(self, number: int) -> list[int]:
        """The items of a container."""

    def text(self, number: int) -> str:
        """A container as it stands in event names."""

    def encoded(self, number: int) -> bytes:
        """A container as bytes; none for any other value."""

    def restore(self, run: bytes) -> int:
        """The number of a container that was encoded."""

    def apply(self, function: int, words: Sequence[int]) -> int | None:
        """The value of a function that is built in; none if it fails."""

NO_BUILT_IN: int = -1

def built_in(name: str) -> int:
    """The number of the function that has a name here."""

def gathered_kind(function: int) -> ValueKind:
    """The kind of arrays that a function gathers."""

class Network:
    def __init__(self, variables: int) -> None: ...
    def set_source(self, source: object) -> None: ...
    def set_values(self, values: Values, in_order: bool) -> None:
        """With `in_order`, only one thread numbers values."""

    def add_code(self, words: Sequence[int]) -> int: ...
    def reserve_locals(self, count: int) -> None: ...
    def define_position(self, number: int, position: Position) -> None:
        """Takes over the edges of the position."""

    def set_main(self, process: int) -> None: ...
    def set_resting(self, positions: Sequence[int], condition: int) -> None:
        """
        A state without steps has terminated if all leaves are at these positions and the condition holds.
        """

    def intern_operator(self, description: Operator) -> int: ...
    def operator(self, number: int) -> Operator: ...
    @property
    def operator_count(self) -> int: ...
    def intern_tree(self, operator: int, payload: Sequence[int]) -> int:
        """
        The number of a tree; the payload is its children, and the local state of a leaf, sequel or guard.
        """

    def tree(self, number: int) -> tuple[int, list[int]]:
        """The operator and payload of a tree."""

    def tree_unfolds(self, number: int) -> bool:
        """Whether a configuration keeps the parts of a tree apart."""

    @property
    def tree_count(self) -> int: ...
    def intern_shape(self, key: Sequence[int]) -> int: ...
    def shape_key(self, number: int) -> list[int]: ...
    @property
    def shape_count(self) -> int: ...
    def intern_local(self, position: int, parameters: Sequence[int]) -> int: ...
    def add_group(self, cutoff: int) -> int: ...
    def intern_counted(self, group: int, members: Sequence[tuple[int, int]]) -> int: ...
    def set_symmetry(
        self,
        tree: int,
        kinds: Sequence[Sequence[Sequence[int]]],
        variables: Sequence[PlaceFamily],
        leaves: Sequence[PlaceFamily],
        parameters: Sequence[tuple[int, Sequence[int]]],
    ) -> None: ...
    def local(self, number: int) -> tuple[int, list[int]]: ...
    @property
    def local_count(self) -> int: ...
    @property
    def labels(self) -> list[str]: ...
    @property
    def processes(self) -> list[str]: ...
    @property
    def action_count(self) -> int: ...
    def action_parts(self, action: int) -> tuple[int, list[int]]:
        """A label and processes, by their numbers."""

    def action(self, label: int, processes: Sequence[int]) -> int: ...
    def label(self, text: str) -> int: ...
    def process(self, name: str) -> int: ...
    def event_name(self, pieces: Sequence[str], types: Sequence[ArgumentType]) -> int: ...
    def construct(self, text: str) -> int: ...

class Context:
    def __init__(self, memory_limit: int, threads: int = 1, least_work: int = 1024) -> None: ...
    def set_memory_limit(self, limit: int) -> None: ...
    def set_ticker(self, callback: Callable[[], None]) -> None: ...
    def clear_ticker(self) -> None: ...
    def use_disk(self, file: int, limit: int) -> None:
        """Takes over a file descriptor; to be called before there are graphs."""

    @property
    def disk_peak(self) -> int: ...
    @property
    def memory_used(self) -> int: ...
    @property
    def memory_peak(self) -> int: ...

def fail_allocation(number: int, lasting: bool = False) -> None:
    """
    For tests: the allocation with this number fails, and all after it if that is lasting; 0: none.
    """

def allocation_count() -> int:
    """For tests: the allocations since `fail_allocation` was called."""

DISK_IS_OFFERED: bool = True

LEAST_WORK: int = 1024

class LocalRole(enum.IntEnum):
    """What a local state can be in a configuration."""

    PROCESS = 0

    GUARD = 1

    TREE = 2

    COUNTED = 3

class ValueType:
    """A type whose words are numbers of values."""

    def __init__(self, kind: ValueKind, opaque: Sequence[int]) -> None:
        """
        Containers of a kind, or the values of Python with these numbers, ascending.
        """

class BufferRule:
    """The buffers of a channel, and the types of messages by form."""

    def __init__(
        self, base: int, count: int, capacity: int, width: int, forms: Sequence[Sequence[int]]
    ) -> None: ...

class StateRules:
    """What states from a file must be like."""

    def __init__(
        self,
        types: Sequence[ValueType],
        words: Sequence[tuple[int, int]],
        buffers: Sequence[BufferRule],
        locals: bytes,
    ) -> None:
        """
        Variables that hold values, each with the number of its type; the roles of local states, a byte each.
        """

class GraphBytes:
    """What a graph takes, in bytes."""

    @property
    def records(self) -> int: ...
    @property
    def table(self) -> int: ...
    @property
    def parents(self) -> int: ...
    @property
    def edges(self) -> int: ...

class Graph:
    @property
    def state_count(self) -> int: ...
    @property
    def transition_count(self) -> int: ...
    @property
    def expanded_count(self) -> int: ...
    @property
    def level_count(self) -> int: ...
    @property
    def bytes(self) -> GraphBytes: ...
    @property
    def initial(self) -> list[int]: ...
    def label(self, text: str) -> int: ...
    def action(self, action: int) -> tuple[str, list[str]]: ...
    def label_text(self, label: int) -> str: ...
    def process_name(self, process: int) -> str: ...
    def label_of(self, action: int) -> int: ...
    def used_actions(self) -> list[int]: ...
    @property
    def action_count(self) -> int: ...
    def edges(self, state: int) -> list[tuple[int, int]]: ...

class ExplicitGraph(Graph):
    def __init__(self, context: Context, states: int) -> None: ...
    def add_initial(self, state: int) -> None: ...
    def add_proposition(self, states: Sequence[int]) -> int: ...
    def add_action(self, label: str, processes: Sequence[str]) -> int: ...
    def add_state_edges(self, state: int, targets: Sequence[int], actions: Sequence[int]) -> None: ...

class Goal(enum.Enum):
    """What exploration looks for."""

    NONE = 0

    DEADLOCK = 1

    STOP = 2

    CONDITION = 3

    UNSAFE = 4

class Proviso(enum.Enum):
    """Which steps a reduction must not put off forever."""

    NONE = 0

    REACHED = 1

    CYCLES = 2

class NetworkGraph(Graph):
    def __init__(self, network: Network, context: Context, keep_edges: bool) -> None: ...
    def add_initial(self, values: Sequence[int], tree: int) -> None: ...
    def reduce(
        self,
        conditions: Sequence[int],
        labels: Sequence[str],
        processes: Sequence[str],
        annotations: bool,
        first_step: bool,
        proviso: Proviso,
    ) -> str | None: ...
    @property
    def reduced_count(self) -> int: ...
    def explore(self, goal: Goal, condition: int, state_limit: int) -> int | None: ...
    def find(self, goal: Goal, condition: int) -> int | None: ...
    def optimum(self, condition: int, objective: int, maximise: bool) -> tuple[int, int] | None: ...
    @property
    def keeps_edges(self) -> bool: ...
    def keep_at_most(self, transitions: int) -> None: ...
    @property
    def can_save(self) -> bool: ...
    def save(self, file: int) -> None: ...
    def load(self, file: int, rules: StateRules) -> None:
        """Raises ValueError if the file has anything that cannot be so."""

    @property
    def complete(self) -> bool: ...
    @property
    def current(self) -> int: ...
    @property
    def record_bytes(self) -> int: ...
    def path_to(self, state: int) -> list[tuple[int, int]]: ...
    def has_terminated(self, state: int) -> bool: ...
    @property
    def error_count(self) -> int: ...
    def exchange(self, values: Sequence[int], tree: int) -> list[int] | None: ...
    def unpack(self, state: int) -> tuple[list[int], list[int]]:
        """
        The values of a configuration, and the nodes of its tree: three numbers each.
        """

class CanonicalBuffers:
    """Buffers whose messages may have numbers of values."""

    def __init__(
        self, base: int, count: int, stride: int, width: int, forms: Sequence[Sequence[int]]
    ) -> None: ...

class CanonicalEncoder:
    """Encodes states by what depends on the model alone."""

    def __init__(
        self,
        network: Network,
        context: Context,
        by_number: Sequence[int],
        buffers: Sequence[CanonicalBuffers],
        names: object,
    ) -> None:
        """The names are asked for positions, operators and values."""

    def encode(self, graph: NetworkGraph, state: int) -> bytes: ...
    def hash(self, graph: NetworkGraph, state: int) -> int: ...

class ScanGoal(enum.Enum):
    """What a scan looks for."""

    NONDETERMINISTIC = 0

    DIVERGENT = 1

class Scan:
    def __init__(self, graph: Graph, goal: ScanGoal) -> None: ...
    def run(self, state_limit: int) -> SearchStatus: ...
    def found(self) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]: ...

class RefinementModel(enum.Enum):
    """What a refinement compares."""

    TRACES = 0

    FAILURES = 1

    FAILURES_DIVERGENCES = 2

class RefinementSearch:
    def __init__(self, implementation: Graph, specification: Graph, model: RefinementModel) -> None: ...
    def run(self, state_limit: int) -> SearchStatus: ...
    @property
    def pair_count(self) -> int: ...
    @property
    def specification_faulted(self) -> bool: ...
    def found(self) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]: ...

class Annotations:
    def __init__(self, graph: Graph) -> None: ...
    def number(self, kind: int, label: int) -> int: ...
    def set_ready(self, state: int, numbers: Sequence[int]) -> None: ...
    def find(self, graph: NetworkGraph) -> None: ...
    def ready(self, state: int) -> list[int]: ...
    @property
    def all(self) -> list[tuple[int, int]]: ...

class Atoms:
    def __init__(self, graph: Graph, annotations: Annotations | None) -> None: ...
    def add_own(self, code: int) -> int: ...
    def add_ready(self, annotation: int) -> int: ...
    def add_enabled(self, labels: Sequence[str], processes: Sequence[str]) -> int: ...
    def add_step(self, labels: Sequence[str], processes: Sequence[str]) -> int: ...
    def add_left(self, process: str) -> int: ...
    def add_entered(self, process: str) -> int: ...
    def seen_values(self) -> list[tuple[bool, bool]]:
        """For each atom, whether it is true, and whether it is false, somewhere."""

class PredicateCode(enum.IntEnum):
    """
    Operators of predicates in postfix notation, in which numbers from 0 on are atoms.
    """

    NOT = -1

    AND = -2

    OR = -3

    TRUE = -4

    FALSE = -5

class Condition:
    def __init__(self, atoms: Atoms) -> None: ...
    def inf(self, predicate: Sequence[int]) -> int: ...
    def fin(self, predicate: Sequence[int]) -> int: ...
    def all(self, parts: Sequence[int]) -> int: ...
    def any(self, parts: Sequence[int]) -> int: ...
    def demand(self, condition: int) -> None: ...

class FairnessLevel(enum.Enum):
    """Whom a notion is fair to."""

    NONE = 0

    EVENT = 1

    PROCESS = 2

class Fairness:
    def __init__(
        self, level: FairnessLevel, strong: bool, global_: bool, condition: Condition | None
    ) -> None: ...
    def add_demand(self, graph: Graph, level: FairnessLevel, strong: bool, names: Sequence[str]) -> None: ...

class FairRegion:
    def __init__(self, product: Product, fairness: Fairness) -> None: ...
    @property
    def has_start(self) -> bool: ...
    @property
    def has_all(self) -> bool: ...
    def way_out(self) -> list[tuple[int, int]]: ...

class SearchStatus(enum.Enum):
    """How a search ended, or that it wants more states or steps."""

    FOUND = 0

    NONE = 1

    PAUSED = 2

MOST_BITS: int = 64

class Automaton:
    def __init__(self, initial: int, acceptance_sets: int, may_accept: Sequence[bool]) -> None:
        """`may_accept` has a value for each state."""

    def add_transition(self, source: int, positive: int, negative: int, target: int, marks: int) -> None: ...
    @staticmethod
    def everything() -> Automaton: ...

class Product:
    def __init__(self, atoms: Atoms, automaton: Automaton) -> None: ...

class ComponentSearch:
    def __init__(self, product: Product, fairness: Fairness, early: bool, complete: bool) -> None: ...
    def run(self, steps: int) -> SearchStatus: ...
    @property
    def node_count(self) -> int: ...
    @property
    def is_by_layers(self) -> bool: ...
    @property
    def is_global(self) -> bool: ...
    def lasso(
        self, product: Product, longest: int = 18446744073709551615
    ) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]:
        """
        A fair run into the part that was found; without a loop if that would have more than `longest` steps.
        """

    def cycle(self, product: Product) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]:
        """
        The same with a loop in the part that the automaton accepts, fair or not.
        """

    def component_size(self, product: Product) -> tuple[int, int]:
        """
        How many states and transitions of the system fair runs through all of the part take.
        """

    def transitions(self, product: Product) -> list[tuple[int, int, int]]:
        """
        Source, action and target of the transitions that fair runs through all of the part take.
        """

class ShortestLasso:
    """For a system that was explored completely."""

    def __init__(self, product: Product, fairness: Fairness, most_work: int) -> None: ...
    def find(self, below: int) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]] | None:
        """
        The shortest fair lasso that the automaton accepts, if it has less than `below` steps.
        """

    @property
    def is_complete(self) -> bool: ...

class Unfairness:
    """To whom a part is unfair: numbers of labels and processes."""

    @property
    def weak_events(self) -> list[int]: ...
    @property
    def strong_events(self) -> list[int]: ...
    @property
    def weak_processes(self) -> list[int]: ...
    @property
    def strong_processes(self) -> list[int]: ...

class Survey:
    def __init__(self, search: ComponentSearch) -> None: ...
    def run(self, most: int) -> bool: ...
    @property
    def found(self) -> list[Unfairness]: ...

class PrefixSearch:
    def __init__(self, product: Product, accepts_everything: Sequence[bool]) -> None: ...
    def run(self, state_limit: int) -> SearchStatus: ...
    @property
    def node_count(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def is_found(self) -> bool: ...
    def prefix(self) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]: ...

class CostStatus(enum.Enum):
    """How a search for the best run to a goal ended."""

    FOUND = 0

    NO_GOAL = 1

    BOTH_SIGNS = 2

    UNBOUNDED = 3

    TOO_LARGE = 4

    STATE_LIMIT = 5

class BestRun:
    """
    The best run to a goal; if there is none, a cycle in which its value grows.
    """

    @property
    def status(self) -> CostStatus: ...
    @property
    def value(self) -> int: ...
    @property
    def start(self) -> int: ...
    @property
    def steps(self) -> list[tuple[int, int]]: ...

def cheapest_run(
    graph: NetworkGraph, goal: int, cost: int, negated: bool, known: bool, state_limit: int
) -> BestRun:
    """Explores the graph, which has just its initial states."""

def costliest_run(graph: NetworkGraph, goal: int, cost: int, negated: bool) -> BestRun:
    """The graph must be complete and keep its transitions."""

class ClosenessKind(enum.Enum):
    """How far a condition is from being true, by what it consists of."""

    ALL = 0

    ANY = 1

    EQUAL = 2

    UNEQUAL = 3

    LESS = 4

    LESS_EQUAL = 5

    TRUE = 6

class Closeness:
    """How far states are from a condition; the last node is the whole."""

    def __init__(self) -> None: ...
    def add_comparison(self, kind: ClosenessKind, left: int, right: int = -1) -> int: ...
    def add_junction(self, kind: ClosenessKind, parts: Sequence[int]) -> int: ...
    def distance(self, graph: NetworkGraph, state: int) -> int: ...

class DiveOrder(enum.Enum):
    """Where a dive goes first."""

    FIRST = 0

    LAST = 1

    RANDOM = 2

    DOWNHILL = 3

    NEAREST = 4

class DiveGoal:
    """What dives look for in a graph of their own."""

    def __init__(
        self, graph: NetworkGraph, product: Product, goal: Goal, condition: int, accepting: Sequence[bool]
    ) -> None:
        """`accepting` has a value for each state of the automaton, or none."""

    def shortened_run(self, effort: int) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]: ...

class Dive:
    def __init__(
        self, goal: DiveGoal, order: DiveOrder, seed: int, deepest: int, closeness: Closeness | None = None
    ) -> None: ...
    def run(self, work: int) -> SearchStatus: ...
    @property
    def work(self) -> int: ...

class ProgressKind(enum.Enum):
    """How many of some labels must occur in every terminal set."""

    ONE_OF = 0

    ALL_OF = 1

class TerminalSet:
    """A terminal set that violates a demand, reached by a shortest way."""

    @property
    def lasso(self) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]: ...
    @property
    def labels(self) -> list[int]: ...
    @property
    def states(self) -> int: ...
    @property
    def violating(self) -> int:
        """How many terminal sets violate the demand."""

class TerminalSets:
    def __init__(self, graph: Graph, patience: int) -> None: ...
    @property
    def count(self) -> int: ...
    @property
    def group_count(self) -> int: ...
    def violation(
        self, kind: ProgressKind, labels: Sequence[int], condition: Sequence[int] | None
    ) -> TerminalSet | None: ...

def states_without_transitions(graph: Graph) -> list[int]: ...

class Equivalence(enum.Enum):
    """The equivalence: which states are merged."""

    STRONG = 0

    WEAK = 1

    DIVERGENCE = 2

class Bisimulation:
    def __init__(
        self,
        graph: Graph,
        labels: Sequence[int],
        label_count: int,
        ended: Sequence[int],
        wrong: Sequence[int],
        equivalence: Equivalence,
    ) -> None: ...
    def run(self) -> None: ...
    @property
    def state_count(self) -> int: ...
    @property
    def transition_count(self) -> int: ...
    @property
    def ended(self) -> list[int]: ...
    @property
    def wrong(self) -> int | None: ...
    def block(self, state: int) -> int | None: ...
    def edges(self, block: int) -> list[tuple[int, int]]: ...

class Labelling:
    def __init__(self, atoms: Atoms, fairness: Fairness, idles: bool, always_continues: bool) -> None: ...
    def constant(self, value: bool) -> int: ...
    def atom(self, atom: int) -> int: ...
    def negation(self, p: int) -> int: ...
    def conjunction(self, p: int, q: int) -> int: ...
    def disjunction(self, p: int, q: int) -> int: ...
    def next(self, p: int) -> int: ...
    def until(self, p: int, q: int) -> int: ...
    def always(self, p: int) -> int: ...
    def accepted(self, automaton: Automaton, letters: Sequence[tuple[bool, int]]) -> int: ...
    @property
    def kinds(self) -> list[list[int]]: ...
    def reads_steps(self, formula: int) -> bool: ...
    def after(self, formula: int, kind: int) -> int: ...
    def holds(self, formula: int, state: int, action: int) -> bool: ...
    def is_fair(self, state: int) -> bool: ...
    @property
    def is_always_fair(self) -> bool: ...
    def counts(self, formula: int) -> tuple[int, int]: ...
    def states(self, formula: int) -> tuple[list[int], list[int]]: ...
    def way(self, state: int, p: int, q: int) -> list[tuple[int, int]]: ...
    def fair_path(self, state: int, p: int) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]: ...
    def accepted_path(
        self, state: int, action: int, formula: int
    ) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]: ...

class StateSet:
    """A set of states as a decision diagram."""

    @property
    def is_empty(self) -> bool: ...
    def equals(self, other: StateSet) -> bool:
        """Of sets of one space."""

class SymbolicSpace:
    """The reachable states of a network as a decision diagram."""

    def __init__(self, network: Network, context: Context) -> None: ...
    def begin(self, values: Sequence[int], tree: int, seed: int = 0) -> str | None:
        """
        Why the system cannot be encoded; None if it can be as far as is known.
        """

    def explore(self) -> str | None:
        """Finds the reachable states; why the system cannot be encoded, if so."""

    def used_actions(self) -> list[int]: ...
    def relation(self, actions: Sequence[int]) -> int: ...
    def holding(self, set: StateSet, condition: int) -> StateSet | None:
        """
        None if there are too many combinations of the variables that the condition reads.
        """

    def count(self, set: StateSet) -> bytes:
        """
        How many states it has: 64-bit words in the order of the machine, the least significant first.
        """

    def contains(self, set: StateSet, values: Sequence[int], tree: int) -> bool: ...
    def first(self, set: StateSet) -> tuple[list[int], list[int]]:
        """A state of a set that is not empty."""

    def action(self, action: int) -> tuple[str, list[str]]: ...
    @property
    def node_count(self) -> int: ...
    @property
    def most_nodes(self) -> int: ...
    @property
    def group_count(self) -> int: ...
    @property
    def level_count(self) -> int: ...
    def initial(self) -> StateSet: ...
    def reachable(self) -> StateSet: ...
    def nothing(self) -> StateSet: ...
    def single(self, values: Sequence[int], tree: int) -> StateSet: ...
    def unite(self, one: StateSet, other: StateSet) -> StateSet: ...
    def intersect(self, one: StateSet, other: StateSet) -> StateSet: ...
    def subtract(self, one: StateSet, other: StateSet) -> StateSet: ...
    def post(self, set: StateSet, relation: int) -> StateSet: ...
    def pre(self, set: StateSet, relation: int) -> StateSet: ...
    def backward(self, goal: StateSet, within: StateSet, through: StateSet, relation: int) -> StateSet: ...
    def forward(self, start: StateSet, within: StateSet, relation: int) -> StateSet: ...
    def chain(self, start: StateSet, goal: StateSet, relation: int) -> list[StateSet]:
        """The sets must not be used when the space is gone."""

    def ended(self, set: StateSet) -> StateSet: ...
