import { TWO, testInterleavings } from './every-interleaving.ts';
import { CRASHES_ONLY, EVERYTHING } from './scenario.ts';

testInterleavings({
  always: [
    { ...EVERYTHING, name: 'auto over two, no receipts', channels: TWO, receipts: [] },
    { ...CRASHES_ONLY, name: 'auto, more expensive channel first', channels: ['sms', 'whatsapp'] },
    { ...CRASHES_ONLY, name: 'auto, money only for the first channel', channels: TWO, balance: 5 },
  ],
  inFull: [
    { ...CRASHES_ONLY, name: 'auto over two, steps of 10 s', channels: TWO, timeStepSeconds: 10 },
    {
      ...EVERYTHING,
      name: 'a link, auto over two',
      kind: 'link',
      channels: TWO,
      codeIsVerified: false,
      codeExpires: false,
      losesAnswers: false,
    },
  ],
});
