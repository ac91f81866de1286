// The table of each rule. Together they load all components once, which takes longer than the tests of a rule.
import './config-maps.table.js';
import './images.table.js';
import './pools.table.js';
import './safe-load.table.js';
import './selectors.table.js';
import './systems.table.js';
import './version.table.js';
