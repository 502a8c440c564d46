/** The credentials that the simulators accept. Made up, and useless anywhere else. */
export const CLOUD = {
  token: 'EAAsimulated0000000000000000000000',
  phoneNumberId: '100000000000001',
  wabaId: '200000000000001',
  appSecret: 'simulated-app-secret',
  verifyToken: 'simulated-verify-token',
};
export const GREEN = {
  instanceId: '1101000001',
  token: 'simulated0000000000000000000000green',
  callbackToken: 'simulated-green-callback',
};
export const GATEWAY = { token: 'simulated-gateway-token-0000000000' };
export const BOT = {
  token: '1000000001:simulated-bot-token-00000000000',
  secretToken: 'simulated-bot-secret',
};
export const SMPP = { systemId: 'zhiber', password: 'sim-pass', sender: 'Zhiber' };
export const SMSC = {
  login: 'zhiber',
  password: 'simulated-smsc',
  callbackSecret: 'simulated-smsc-secret',
};
export const MOBIZON = {
  apiKey: 'kzsimulated0000000000000000',
  callbackSecret: 'simulated-mobizon-secret',
};
/** Of the trade point that takes payments. */
export const KASPI = {
  apiKey: 'simulated-kaspi-key-000000000000',
  deviceId: 'zhiber-1',
  tradePointId: '1',
};
export const FREEDOM_PAY = { merchantId: '500000', secret: 'simulated-freedom-pay' };
export const WEBKASSA = {
  apiKey: 'simulated-webkassa-key',
  login: 'zhiber@example.kz',
  password: 'simulated-webkassa',
  cashbox: 'SWK00000001',
};
export const HTTP = { secret: 'whsec_c2ltdWxhdGVkLWh0dHAtcHJvdmlkZXItc2VjcmV0' };
