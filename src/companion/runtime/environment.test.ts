import { describe, expect, it } from '@jest/globals';
import { readEnvironment } from './environment.js';

const API = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
const REQUIRED = { ...API, POD_NAME: 'weft-companion-1-x', POD_NAMESPACE: 'net', WEFT_MODE: 'job' };

describe('readEnvironment', () => {
  it('fills in what is not set', () => {
    expect(readEnvironment({ ...REQUIRED, WEFT_POLICY_HASH: '' })).toEqual({
      podName: 'weft-companion-1-x',
      namespace: 'net',
      jobName: 'weft-companion-1-x',
      mode: 'job',
      logLevel: 'info',
      clientQps: 50,
      clientBurst: 100,
      apiHost: '10.96.0.1',
      apiPort: 443,
    });
  });

  it('reads what is set', () => {
    const env = {
      ...REQUIRED,
      ...{ JOB_NAME: 'weft-companion-1', WEFT_MODE: 'cronjob', WEFT_POLICY_HASH: 'abc', WEFT_LOG_LEVEL: 'error' },
      ...{ WEFT_CLIENT_QPS: '0.5', WEFT_CLIENT_BURST: '7', WEFT_METRICS_PORT: '8080' },
      WEFT_CREDENTIALS: '/tmp/credentials',
    };
    expect(readEnvironment(env)).toEqual({
      ...{ podName: 'weft-companion-1-x', namespace: 'net', jobName: 'weft-companion-1', mode: 'cronjob' },
      ...{ policyHash: 'abc', logLevel: 'error', clientQps: 0.5, clientBurst: 7, metricsPort: 8080 },
      ...{ credentials: '/tmp/credentials', apiHost: '10.96.0.1', apiPort: 443 },
    });
  });

  it('returns all errors', () => {
    const env = { WEFT_MODE: 'deployment', WEFT_LOG_LEVEL: 'loud', WEFT_CLIENT_QPS: '-1', WEFT_METRICS_PORT: '70000' };
    expect(readEnvironment(env)).toEqual([
      'POD_NAME is not set',
      'POD_NAMESPACE is not set',
      'WEFT_MODE must be one of job, cronjob, not "deployment"',
      'WEFT_LOG_LEVEL must be one of info, warning, error, not "loud"',
      'WEFT_CLIENT_QPS must be a number above 0 and at most 10000, not "-1"',
      'KUBERNETES_SERVICE_HOST is not set',
      'KUBERNETES_SERVICE_PORT is not set',
      'WEFT_METRICS_PORT must be a number above 0 and at most 65535, not "70000"',
    ]);
  });
});
