import { testLooks } from './looks.ts';

testLooks('en');
