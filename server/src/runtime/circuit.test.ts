import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCircuit } from './circuit.ts';

function open() {
  let now = 0;
  const circuit = createCircuit(() => now);
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) circuit.record(false);
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { circuit, fail, pass };
}

test('it opens at the fifth failure within ten seconds', () => {
  const { circuit, fail } = open();
  fail(4);
  assert.deepEqual([circuit.state(), circuit.admits()], ['closed', true]);
  fail(1);
  assert.deepEqual([circuit.state(), circuit.admits()], ['open', false]);
});

test('failures older than ten seconds do not count', () => {
  const { circuit, fail, pass } = open();
  fail(4);
  pass(10_000);
  fail(4);
  assert.equal(circuit.state(), 'closed');
});

test('a success resets the count', () => {
  const { circuit, fail } = open();
  fail(4);
  circuit.record(true);
  fail(4);
  assert.equal(circuit.state(), 'closed');
});

test('an open circuit admits one probe a second', () => {
  const { circuit, fail, pass } = open();
  fail(5);
  let admitted = 0;
  for (let i = 0; i < 100; i++) {
    pass(100);
    if (circuit.admits()) admitted += 1;
    circuit.record(false);
  }
  assert.equal(admitted, 10);
});

test('a successful probe closes it', () => {
  const { circuit, fail, pass } = open();
  fail(5);
  pass(1_000);
  assert.equal(circuit.admits(), true);
  circuit.record(true);
  assert.deepEqual([circuit.state(), circuit.admits()], ['closed', true]);
});
