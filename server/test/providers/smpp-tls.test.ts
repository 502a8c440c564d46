import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soon } from './rig/messages.ts';
import { message, openTo, startCentre, startRig } from './smpp-rig.ts';

/** Of 127.0.0.1, for a hundred years, and used nowhere else. */
const TLS = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIoQXXnsj/Rb8sK03
3TQVM07G+AZam0JCX2adc6nfJfWhRANCAASANRbQb4WmXcLMvmPrk5OI2SRLKNz4
ZbWldDmEFW5bvSNdArrSq+6oFvt3AHfZ7TFUNzRGo8fN5NthXD4rFa3K
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUSmmar61iXKnVNowKXeMt7rHRHuEwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTExNTE1MDAwMloYDzIxMjYxMDIy
MTUwMDAyWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASANRbQb4WmXcLMvmPrk5OI2SRLKNz4ZbWldDmEFW5bvSNdArrSq+6o
Fvt3AHfZ7TFUNzRGo8fN5NthXD4rFa3Ko2QwYjAdBgNVHQ4EFgQUEtEo8uLq99Mf
XQ6BiUxkwB9DMwgwHwYDVR0jBBgwFoAUEtEo8uLq99MfXQ6BiUxkwB9DMwgwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
ICvJ2rMlxriUJZPGWXeiLlZhFXwkqnuQtUpOhF9xYUlJAiEA2zS3N/O2y2H5A5Rq
4NDXzKZK0yFyiYmrRCw20h/WscU=
-----END CERTIFICATE-----`,
};

test('over TLS, with the authority that the settings name', async (t) => {
  const settings = { tls: true, tlsCa: TLS.cert };
  const { centre, provider, reports } = await startRig(t, { centre: { tls: TLS }, settings });
  assert.equal((await provider.send(message('код 1'), soon())).result, 'accepted');
  await centre.settle();
  assert.equal(reports.length, 1);
});

test('a certificate of an unknown authority is not trusted, and no password is told', async (t) => {
  const centre = await startCentre(t, { tls: TLS });
  const { ok, detail } = await openTo(centre.port, { tls: true }).check(soon());
  assert.equal(ok, false);
  assert.match(detail, /it cannot be reached \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
  assert.deepEqual([centre.figures().binds, centre.figures().refusedBinds], [0, 0]);
});

test('a centre that does not speak TLS is not reached', async (t) => {
  const centre = await startCentre(t);
  const { ok } = await openTo(centre.port, { tls: true }).check(soon());
  assert.equal(ok, false);
});
