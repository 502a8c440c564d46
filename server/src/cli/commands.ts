import { audit } from './audit.ts';
import { botConnect } from './channels/bot-connect.ts';
import { channelTest } from './channels/channel-test.ts';
import { send, verify } from './client/otp.ts';
import { shorten } from './client/shorten.ts';
import { doctor } from './doctor.ts';
import type { Command } from './grammar/command.ts';
import { migrate } from './migrate.ts';
import { companyCreate, companyResume, companySuspend } from './records/company.ts';
import { groupAdd, groupList } from './records/group.ts';
import { guardList } from './records/guard.ts';
import { hostBar, hostList, hostUnbar } from './records/host.ts';
import { keyRevoke, keyRotate } from './records/key-change.ts';
import { keyCreate } from './records/key-create.ts';
import { linkDisable } from './records/link.ts';
import { paymentImport } from './records/payment-import.ts';
import { personBlock, personUnblock } from './records/person.ts';
import { priceSet } from './records/price.ts';
import { topup } from './records/topup.ts';
import { serve } from './serve.ts';

/** Every command, in the order of `help`. */
export const COMMANDS: readonly Command[] = [
  serve,
  migrate,
  doctor,
  audit,
  companyCreate,
  companySuspend,
  companyResume,
  personBlock,
  personUnblock,
  keyCreate,
  keyRotate,
  keyRevoke,
  groupAdd,
  groupList,
  topup,
  paymentImport,
  priceSet,
  linkDisable,
  hostBar,
  hostUnbar,
  hostList,
  channelTest,
  botConnect,
  guardList,
  send,
  verify,
  shorten,
];
