// Written by `npm run release:add`: the files of the catalog, newest first.
import v26_10 from './v26.10.json' with { type: 'json' };
import v26_4 from './v26.4.json' with { type: 'json' };
import v26_7 from './v26.7.json' with { type: 'json' };
import v26_10_0 from './versions/v26.10.0.json' with { type: 'json' };
import v26_4_0 from './versions/v26.4.0.json' with { type: 'json' };
import v26_4_1 from './versions/v26.4.1.json' with { type: 'json' };
import v26_4_2 from './versions/v26.4.2.json' with { type: 'json' };
import v26_7_0 from './versions/v26.7.0.json' with { type: 'json' };
import v26_7_1 from './versions/v26.7.1.json' with { type: 'json' };

export const lines = [v26_10, v26_7, v26_4];

export const versions = [v26_10_0, v26_7_1, v26_7_0, v26_4_2, v26_4_1, v26_4_0];
