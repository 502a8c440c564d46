import { audit } from './audit.ts';
import { backup } from './backups/backup.ts';
import { move } from './backups/move.ts';
import { restore } from './backups/restore.ts';
import { botConnect } from './channels/bot-connect.ts';
import { channelTest } from './channels/channel-test.ts';
import { portedImport } from './channels/ported-import.ts';
import { providerTry } from './channels/provider-try.ts';
import { listen, trigger } from './client/events.ts';
import { send, verify } from './client/otp.ts';
import { shorten } from './client/shorten.ts';
import { doctor } from './doctor.ts';
import { find } from './find.ts';
import type { Command } from './grammar/command.ts';
import { logs } from './logs.ts';
import { migrate } from './migrate.ts';
import { archiveList } from './records/archive.ts';
import { balance } from './records/balance.ts';
import {
  broadcastList,
  broadcastPause,
  broadcastResume,
  broadcastShow,
} from './records/broadcast.ts';
import {
  companyCreate,
  companyList,
  companyResume,
  companyShow,
  companySuspend,
} from './records/company.ts';
import { groupAdd, groupList } from './records/group.ts';
import { guardList } from './records/guard.ts';
import { hostBar, hostList, hostUnbar } from './records/host.ts';
import {
  incidentList,
  incidentMaintenance,
  incidentOpen,
  incidentPublish,
  incidentResolve,
  incidentUpdate,
} from './records/incident.ts';
import { keyRevoke, keyRotate } from './records/key-change.ts';
import { keyCreate } from './records/key-create.ts';
import { keyList } from './records/key-list.ts';
import { linkDisable } from './records/link.ts';
import { operatorCreate, operatorList, operatorRemove, operatorReset } from './records/operator.ts';
import { paymentConfirm, paymentList, paymentRefund } from './records/payment.ts';
import { paymentImport } from './records/payment-import.ts';
import { personBlock, personUnblock } from './records/person.ts';
import { priceList, priceSet, priceWithdraw } from './records/price.ts';
import { senderAdd, senderClear, senderList, senderRemove, senderSet } from './records/sender.ts';
import { topup } from './records/topup.ts';
import { unsubscribedAdd, unsubscribedRemove } from './records/unsubscribed.ts';
import { serve } from './serve.ts';
import { statusPage } from './status-page.ts';

/** Every command, in the order of `help`. */
export const COMMANDS: readonly Command[] = [
  serve,
  statusPage,
  migrate,
  doctor,
  audit,
  backup,
  restore,
  move,
  archiveList,
  find,
  operatorCreate,
  operatorList,
  operatorReset,
  operatorRemove,
  companyCreate,
  companyList,
  companyShow,
  companySuspend,
  companyResume,
  personBlock,
  personUnblock,
  keyCreate,
  keyList,
  keyRotate,
  keyRevoke,
  groupAdd,
  groupList,
  balance,
  topup,
  paymentList,
  paymentConfirm,
  paymentRefund,
  paymentImport,
  priceList,
  priceSet,
  priceWithdraw,
  senderList,
  senderAdd,
  senderSet,
  senderClear,
  senderRemove,
  broadcastList,
  broadcastShow,
  broadcastPause,
  broadcastResume,
  unsubscribedAdd,
  unsubscribedRemove,
  linkDisable,
  hostBar,
  hostUnbar,
  hostList,
  incidentList,
  incidentOpen,
  incidentMaintenance,
  incidentUpdate,
  incidentPublish,
  incidentResolve,
  channelTest,
  providerTry,
  portedImport,
  botConnect,
  guardList,
  send,
  verify,
  shorten,
  listen,
  trigger,
  logs,
];
