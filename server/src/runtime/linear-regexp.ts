/**
 * Regular expressions that are written by an operator and run on text from outside. JavaScript's own
 * engine backtracks, so a careless pattern could stop the process. This one follows all
 * possibilities at once: its time is proportional to the text and to the pattern, whatever they are.
 *
 * It means what JavaScript means, without flags, for the part that it knows: characters, classes,
 * groups, alternatives, anchors and repetitions. Anything else is a `BadPattern`.
 */

export type LinearRegExp = {
  /** The names of its groups. */
  readonly groups: ReadonlySet<string>;
  /** The named groups of the first match; undefined when there is none. */
  exec(text: string): Readonly<Record<string, string>> | undefined;
};

/** The message completes a sentence that begins with where the pattern stands. */
export class BadPattern extends Error {}

type Test = (code: number) => boolean;

type Node =
  | { kind: 'character'; test: Test }
  | { kind: 'start' | 'end' }
  | { kind: 'sequence' | 'choice'; nodes: readonly Node[] }
  | { kind: 'group'; name: string; node: Node }
  | { kind: 'repeat'; node: Node; min: number; max: number; isLazy: boolean };

type Instruction =
  | { op: 'character'; test: Test }
  | { op: 'start' | 'end' | 'match' }
  /** Tries the targets in this order. */
  | { op: 'fork'; targets: readonly number[] }
  | { op: 'save'; slot: number };

const PATTERN_LENGTH_MAX = 500;
/** Bounds the time per character, and what `{1,400}` grows to. */
const INSTRUCTIONS_MAX = 500;

export function compileRegExp(pattern: string): LinearRegExp {
  if (pattern.length > PATTERN_LENGTH_MAX) {
    throw new BadPattern(`should have at most ${PATTERN_LENGTH_MAX} characters`);
  }
  const { program, names } = compile(parse(pattern));
  return { groups: new Set(names), exec: (text) => run(program, names, text) };
}

function parse(pattern: string): Node {
  let at = 0;
  const fail = (problem: string): never => {
    throw new BadPattern(`${problem}, at character ${at + 1} of the pattern`);
  };
  const takeIf = (text: string) => {
    const isNext = pattern.startsWith(text, at);
    if (isNext) at += text.length;
    return isNext;
  };
  const match = (expression: RegExp) => {
    const found = expression.exec(pattern.slice(at));
    if (found !== null) at += found[0].length;
    return found;
  };

  const readChoice = (): Node => {
    const nodes = [readSequence()];
    while (takeIf('|')) nodes.push(readSequence());
    return nodes.length === 1 ? (nodes[0] as Node) : { kind: 'choice', nodes };
  };

  const readSequence = (): Node => {
    const nodes: Node[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
      nodes.push(readRepeated());
    }
    return { kind: 'sequence', nodes };
  };

  const readRepeated = (): Node => {
    const node = readAtom();
    const found = match(/^(?:[*+?]|\{(\d{1,3})(,?)(\d{0,3})\})/);
    if (found === null) return node;
    const [sign, from = '', comma, to = ''] = found;
    const min = sign === '+' ? 1 : Number(from);
    const max = sign === '?' ? 1 : comma === '' ? min : to === '' ? Infinity : Number(to);
    if (max < min) fail('has a repetition whose end is before its beginning');
    if (canBeEmpty(node)) fail('repeats something that may be empty');
    if (max > 1 && hasName(node)) fail('repeats a named group, so it is not clear what it means');
    const isLazy = takeIf('?');
    if (match(/^[*+?{]/)) fail('has two repetitions in a row');
    return { kind: 'repeat', node, min, max, isLazy };
  };

  const readAtom = (): Node => {
    if (takeIf('(')) return readGroup();
    if (takeIf('[')) return { kind: 'character', test: readClass() };
    if (takeIf('\\')) return { kind: 'character', test: readEscape() };
    if (takeIf('^')) return { kind: 'start' };
    if (takeIf('$')) return { kind: 'end' };
    if (takeIf('.')) return { kind: 'character', test: isNotLineEnd };
    if (match(/^[*+?{}\]]/)) fail('has a sign that needs a backslash before it');
    const code = pattern.charCodeAt(at);
    at += 1;
    return { kind: 'character', test: (other) => other === code };
  };

  const readGroup = (): Node => {
    const name = match(/^\?<([A-Za-z_]\w{0,30})>/)?.[1];
    if (name === undefined && !takeIf('?:') && pattern[at] === '?') {
      fail('has a group of a kind that is not supported');
    }
    const node = readChoice();
    if (!takeIf(')')) fail('has a group that is not closed');
    return name === undefined ? node : { kind: 'group', name, node };
  };

  const readClass = (): Test => {
    const isNegated = takeIf('^');
    const tests: Test[] = [];
    while (!takeIf(']')) {
      if (at >= pattern.length) fail('has a class that is not closed');
      tests.push(readClassPart());
    }
    return (code) => tests.some((test) => test(code)) !== isNegated;
  };

  const readClassPart = (): Test => {
    const from = readClassCharacter();
    if (typeof from !== 'number' || !match(/^-(?!\])/)) return testOf(from);
    const to = readClassCharacter();
    if (typeof to !== 'number' || to < from) return fail('has a range that is not one');
    return (code) => code >= from && code <= to;
  };

  const readClassCharacter = (): number | Test => {
    if (takeIf('\\')) return readEscapeCode();
    at += 1;
    return pattern.charCodeAt(at - 1);
  };

  const readEscape = (): Test => testOf(readEscapeCode());

  const readEscapeCode = (): number | Test => {
    const sign = pattern[at] ?? '';
    const known = CLASSES[sign] ?? CONTROLS[sign];
    if (known === undefined && !/^[^\w\s]$/.test(sign))
      fail(`has \\${sign}, which is not supported`);
    at += 1;
    return known ?? sign.charCodeAt(0);
  };

  const node = readChoice();
  if (at < pattern.length) fail('has a bracket that was not opened');
  return node;
}

const testOf = (part: number | Test): Test =>
  typeof part === 'number' ? (code) => code === part : part;

const byRegExp = (expression: RegExp): Test => {
  return (code) => expression.test(String.fromCharCode(code));
};
const CLASSES: Readonly<Record<string, Test>> = {
  d: byRegExp(/\d/),
  D: byRegExp(/\D/),
  w: byRegExp(/\w/),
  W: byRegExp(/\W/),
  s: byRegExp(/\s/),
  S: byRegExp(/\S/),
};
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9 };
const isNotLineEnd = byRegExp(/./);

function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'character':
      return false;
    case 'start':
    case 'end':
      return true;
    case 'sequence':
      return node.nodes.every(canBeEmpty);
    case 'choice':
      return node.nodes.some(canBeEmpty);
    case 'group':
      return canBeEmpty(node.node);
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.node);
  }
}

function hasName(node: Node): boolean {
  switch (node.kind) {
    case 'group':
      return true;
    case 'repeat':
      return hasName(node.node);
    case 'sequence':
    case 'choice':
      return node.nodes.some(hasName);
    default:
      return false;
  }
}

function compile(root: Node): { program: Instruction[]; names: string[] } {
  const program: Instruction[] = [];
  const names: string[] = [];
  const add = (instruction: Instruction) => {
    if (program.length >= INSTRUCTIONS_MAX) throw new BadPattern('repeats too much');
    return program.push(instruction) - 1;
  };
  const fork = (targets: readonly number[]): Instruction => ({ op: 'fork', targets });

  const addNode = (node: Node): void => {
    switch (node.kind) {
      case 'character':
        add({ op: 'character', test: node.test });
        break;
      case 'start':
      case 'end':
        add({ op: node.kind });
        break;
      case 'sequence':
        for (const one of node.nodes) addNode(one);
        break;
      case 'choice':
        addChoice(node.nodes);
        break;
      case 'group': {
        const slot = 2 * names.push(node.name) - 2;
        add({ op: 'save', slot });
        addNode(node.node);
        add({ op: 'save', slot: slot + 1 });
        break;
      }
      case 'repeat':
        addRepeat(node);
    }
  };

  const addChoice = (nodes: readonly Node[]) => {
    const start = add(fork([]));
    const targets: number[] = [];
    const ends: number[] = [];
    for (const node of nodes) {
      targets.push(program.length);
      addNode(node);
      ends.push(add(fork([])));
    }
    program[start] = fork(targets);
    for (const end of ends) program[end] = fork([program.length]);
  };

  const addRepeat = ({ node, min, max, isLazy }: Extract<Node, { kind: 'repeat' }>) => {
    const orderOf = (more: number, done: number) => (isLazy ? [done, more] : [more, done]);
    for (let i = 0; i < min; i++) addNode(node);
    if (max === Infinity) {
      const start = add(fork([]));
      addNode(node);
      add(fork([start]));
      program[start] = fork(orderOf(start + 1, program.length));
      return;
    }
    const starts: number[] = [];
    for (let i = min; i < max; i++) {
      starts.push(add(fork([])));
      addNode(node);
    }
    for (const start of starts) program[start] = fork(orderOf(start + 1, program.length));
  };

  addNode(root);
  add({ op: 'match' });
  return { program, names };
}

/** The positions of the groups, as far as a possibility has come: begin and end of each. */
type Slots = readonly (number | undefined)[];
type Thread = { at: number; slots: Slots };

/** All possibilities advance together by a character; earlier ones are preferred, as in JavaScript. */
function run(program: readonly Instruction[], names: readonly string[], text: string) {
  let found: Slots | undefined;
  let threads: Thread[] = [];
  /** Where each instruction was reached last: a second thread there would find nothing new. */
  const seenAt = new Int32Array(program.length).fill(-1);
  for (let position = 0; position <= text.length; position++) {
    const next: Thread[] = [];
    const follow = (at: number, slots: Slots): void => {
      if (seenAt[at] === position) return;
      seenAt[at] = position;
      const instruction = program[at] as Instruction;
      switch (instruction.op) {
        case 'fork':
          for (const target of instruction.targets) follow(target, slots);
          break;
        case 'save':
          follow(at + 1, slots.with(instruction.slot, position));
          break;
        case 'start':
          if (position === 0) follow(at + 1, slots);
          break;
        case 'end':
          if (position === text.length) follow(at + 1, slots);
          break;
        default:
          next.push({ at, slots });
      }
    };
    for (const thread of threads) follow(thread.at, thread.slots);
    if (found === undefined) follow(0, new Array(2 * names.length).fill(undefined));

    threads = [];
    const code = text.charCodeAt(position);
    for (const { at, slots } of next) {
      const instruction = program[at] as Instruction;
      if (instruction.op === 'match') {
        found = slots;
        break;
      }
      const isTaken = position < text.length && instruction.op === 'character';
      if (isTaken && instruction.test(code)) threads.push({ at: at + 1, slots });
    }
    if (found !== undefined && threads.length === 0) break;
  }
  return found && groupsOf(found, names, text);
}

function groupsOf(slots: Slots, names: readonly string[], text: string): Record<string, string> {
  const groups: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const [begin, end] = [slots[2 * index], slots[2 * index + 1]];
    if (begin !== undefined && end !== undefined) groups[name] = text.slice(begin, end);
  }
  return groups;
}
