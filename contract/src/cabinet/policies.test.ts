/**
 * Who may call what, written a second time by hand. The tests of the server are generated from the
 * contract, so they would follow a policy that was loosened by mistake.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CabinetEndpoint } from './endpoint.ts';
import { CABINET_ENDPOINTS } from './endpoints.ts';
import { hasRight, ROLES, rightsOf } from './rights.ts';

const WHO_MAY: Record<string, string> = {
  // Before anybody is signed in.
  signInOptions: 'anyone',

  sendPhoneCode: 'anyone',
  signInByPhone: 'anyone',
  signInByEmail: 'anyone',
  signInSecond: 'anyone',
  secondFactors: 'anyone',
  startPasskeySignIn: 'anyone',
  signInByPasskey: 'anyone',
  startPasskeySecondStep: 'anyone',
  signInSecondByPasskey: 'anyone',
  signUpByEmail: 'anyone',
  finishSignUp: 'anyone',
  forgotPassword: 'anyone',
  resetPassword: 'anyone',
  enterDemo: 'anyone',
  sandboxInbox: 'anyone',
  readInvitation: 'anyone',

  // Of a person, whatever the company.
  session: 'signed-in',
  signOut: 'signed-in',
  confirmIdentity: 'signed-in',
  sendIdentityCode: 'signed-in',
  startPasskeyProof: 'signed-in',
  switchCompany: 'signed-in',
  changeProfile: 'signed-in',
  changePassword: 'signed-in, asked again',
  changeEmail: 'signed-in, proven',
  confirmNewEmail: 'signed-in',
  sendNewPhoneCode: 'signed-in, proven',
  changePhone: 'signed-in, proven',
  startSecondFactor: 'signed-in, proven',
  confirmSecondFactor: 'signed-in, proven',
  endSecondFactor: 'signed-in, proven',
  passkeys: 'signed-in',
  startPasskey: 'signed-in, proven',
  addPasskey: 'signed-in, proven',
  renamePasskey: 'signed-in',
  removePasskey: 'signed-in, proven',
  securityEvents: 'signed-in',
  sessions: 'signed-in',
  endSession: 'signed-in',
  endOtherSessions: 'signed-in',
  createCompany: 'signed-in',
  acceptInvitation: 'signed-in',

  company: 'owner manager developer accountant marketer viewer',
  changeCompany: 'owner manager',
  requireSecondFactor: 'owner, asked again',
  team: 'owner manager developer marketer viewer',
  invite: 'owner manager, asked again',
  withdrawInvitation: 'owner manager',
  changeRole: 'owner manager, asked again',
  removeMember: 'owner manager, asked again',
  audit: 'owner manager',

  overview: 'owner manager developer marketer viewer',
  balance: 'owner manager accountant',
  ledger: 'owner manager accountant',
  exportLedger: 'owner manager accountant',
  spend: 'owner manager accountant',
  messages: 'owner manager developer marketer support viewer',
  liveMessages: 'owner manager developer marketer support viewer',
  message: 'owner manager developer marketer support viewer',
  exportMessages: 'owner manager',
  resendMessage: 'owner manager developer',
  views: 'owner manager developer marketer support viewer',
  // Each person's own views.
  saveView: 'owner manager developer marketer support viewer',
  deleteView: 'owner manager developer marketer support viewer',
  requests: 'owner manager developer',
  requestErrors: 'owner manager developer',
  request: 'owner manager developer',

  keys: 'owner manager developer viewer',
  keyUse: 'owner manager developer viewer',
  createKey: 'owner manager developer, asked again',
  changeKey: 'owner manager developer',
  changeKeyBrands: 'owner manager developer',
  rotateKey: 'owner manager developer, asked again',
  endPreviousSecret: 'owner manager developer',
  revokeKey: 'owner manager developer',

  links: 'owner manager developer marketer support viewer',
  link: 'owner manager developer marketer support viewer',
  linkOptions: 'owner manager developer marketer support viewer',
  linkClicks: 'owner manager developer marketer support viewer',
  checkAlias: 'owner manager developer marketer',
  createLink: 'owner manager developer marketer',
  changeLink: 'owner manager developer marketer',
  tagLink: 'owner manager developer marketer',
  disableLink: 'owner manager developer marketer',
  enableLink: 'owner manager developer marketer',

  groups: 'owner manager developer marketer viewer',
  groupInvitation: 'owner manager developer',
  linkGroup: 'owner manager developer',
  renameGroup: 'owner manager developer',
  unlinkGroup: 'owner manager developer',
  testGroup: 'owner manager developer',

  uploadRows: 'owner manager marketer',
  useList: 'owner manager marketer',
  chooseColumns: 'owner manager marketer',
  rows: 'owner manager marketer support viewer',
  fixRow: 'owner manager marketer',
  downloadRows: 'owner manager marketer',
  recipientLists: 'owner manager marketer support viewer',
  createList: 'owner manager marketer',
  renameList: 'owner manager marketer',
  deleteList: 'owner manager marketer',
  listMembers: 'owner manager marketer support viewer',
  removeListMember: 'owner manager marketer',
  importIntoList: 'owner manager marketer',
  unsubscribed: 'owner manager marketer support viewer',
  unsubscribePhones: 'owner manager marketer',
  removeUnsubscribed: 'owner manager marketer',

  runOperation: 'owner manager developer',
  phoneMessages: 'owner manager developer',
  clearPhone: 'owner manager developer',
  phoneEvents: 'owner manager developer',

  // A bar on every page.
  balanceState: 'owner manager developer accountant marketer viewer',
  balanceAlert: 'owner manager accountant',
  changeBalanceAlert: 'owner manager accountant',
  topupOptions: 'owner manager accountant',
  topups: 'owner manager accountant',
  topup: 'owner manager accountant',
  createTopup: 'owner manager accountant',
  cancelTopup: 'owner manager accountant',
  claimTopup: 'owner manager accountant',

  papers: 'owner manager accountant',
  receiptFile: 'owner manager accountant',
  invoiceFile: 'owner manager accountant',
  actFile: 'owner manager accountant',
  monthFile: 'owner manager accountant',
  sendPaper: 'owner manager accountant',

  broadcasts: 'owner manager marketer support viewer',
  createBroadcast: 'owner manager marketer',
  broadcast: 'owner manager marketer support viewer',
  changeBroadcast: 'owner manager marketer',
  deleteBroadcast: 'owner manager marketer',
  checkText: 'owner manager marketer support viewer',
  whatsappTemplates: 'owner manager marketer support viewer',
  sendToMe: 'owner manager marketer',
  estimate: 'owner manager marketer support viewer',
  broadcastTemplates: 'owner manager marketer support viewer',
  saveTemplate: 'owner manager marketer',
  deleteTemplate: 'owner manager marketer',
  startBroadcast: 'owner manager marketer',
  approveBroadcast: 'owner manager',
  withdrawBroadcast: 'owner manager marketer',
  pauseBroadcast: 'owner manager marketer',
  resumeBroadcast: 'owner manager marketer',
  cancelBroadcast: 'owner manager marketer',
  results: 'owner manager marketer support viewer',
  recipients: 'owner manager marketer support viewer',
  exportRecipients: 'owner manager marketer',
  repeatFailed: 'owner manager marketer',

  webhooks: 'owner manager developer',
  createWebhook: 'owner manager developer, asked again',
  webhook: 'owner manager developer',
  changeWebhook: 'owner manager developer',
  switchWebhook: 'owner manager developer',
  deleteWebhook: 'owner manager developer',
  webhookSecret: 'owner manager developer, asked again',
  rotateWebhookSecret: 'owner manager developer, asked again',
  webhookDeliveries: 'owner manager developer',
  webhookDelivery: 'owner manager developer',
  countReplay: 'owner manager developer',
  replayWebhook: 'owner manager developer',
  testWebhook: 'owner manager developer',
  webhookFigures: 'owner manager developer',
  webhookEvents: 'owner manager developer',
};

function whoMay({ policy, needsFreshSignIn, needsProof }: CabinetEndpoint): string {
  const isOfCompany = policy !== 'anyone' && policy !== 'signed-in';
  const who = isOfCompany ? ROLES.filter((role) => hasRight(role, policy)).join(' ') : policy;
  if (needsProof) return `${who}, proven`;
  return needsFreshSignIn ? `${who}, asked again` : who;
}

test('every endpoint of the cabinet is open to whom this table says, and to nobody else', () => {
  const contract = Object.entries(CABINET_ENDPOINTS).map(([name, endpoint]) => [
    name,
    whoMay(endpoint),
  ]);
  assert.deepEqual(Object.fromEntries(contract), WHO_MAY);
});

test('phones are shown in full to owners, managers and support alone', () => {
  assert.deepEqual(
    ROLES.filter((role) => hasRight(role, 'phones.see')),
    ['owner', 'manager', 'support'],
  );
});

test('support sees what answers a client, and no keys, no money and no settings', () => {
  assert.deepEqual(rightsOf('support'), [
    'messages.see',
    'phones.see',
    'links.see',
    'broadcasts.see',
  ]);
});

test('an accountant sees money and the facts of the company, and nothing else', () => {
  assert.deepEqual(rightsOf('accountant'), ['balance.see', 'balance.topup', 'company.see']);
});
