import { testLooks } from './looks.ts';

testLooks('kk');
