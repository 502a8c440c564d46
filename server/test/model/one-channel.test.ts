import { testInterleavings } from './every-interleaving.ts';
import { EVERYTHING } from './scenario.ts';

testInterleavings({
  always: [{ ...EVERYTHING, name: 'one channel, everything' }],
  inFull: [
    {
      ...EVERYTHING,
      name: 'one channel, everything, steps of 10 s',
      receipts: ['failed', 'delivered', 'read'],
      timeStepSeconds: 10,
    },
  ],
});
