import { testLooks } from './looks.ts';

testLooks('ru');
