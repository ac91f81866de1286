import { testTogether } from './tests-together.js';

testTogether('companion');
