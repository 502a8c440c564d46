import { TWO, testInterleavings } from './every-interleaving.ts';
import { CRASHES_ONLY, EVERYTHING } from './scenario.ts';

testInterleavings({
  always: [
    {
      ...CRASHES_ONLY,
      name: 'auto over two, receipts',
      channels: TWO,
      receipts: EVERYTHING.receipts,
    },
  ],
  inFull: [
    { ...EVERYTHING, name: 'auto over two, everything', channels: TWO },
    {
      ...CRASHES_ONLY,
      name: 'auto over three, receipts',
      channels: ['whatsapp', 'telegram', 'sms'],
      receipts: ['failed'],
    },
  ],
});
