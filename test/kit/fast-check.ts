import fc from 'fast-check';

/** fast-check with the run's seed, which `test/jest/seed.mjs` chooses. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['WEFT_SEED']) });

export { fc };
