import { type GuardDecision, listDecisions } from '../../abuse/guard-store.ts';
import type { Command } from '../grammar/command.ts';
import type { FoundSuspicious } from '../grammar/texts.ts';
import { companyIdOf } from '../grammar/values.ts';
import { mustHaveCompany, readStorage } from '../with-storage.ts';

const SHOWN_MAX = 200;

export const guardList: Command = {
  name: 'guard list',
  usage: '[--company ID]',
  summary: {
    en: `Shows the newest ${SHOWN_MAX} decisions of the pumping guard`,
    ru: `Показывает, где почти не вводят коды: последние решения, до ${SHOWN_MAX}`,
  },
  options: { company: 'text' },
  async run({ given, env, texts }) {
    const companyId = given.text('company') === undefined ? undefined : companyIdOf(given);
    const decisions = await readStorage(env, async (tools) => {
      if (companyId !== undefined) await mustHaveCompany(tools, companyId);
      return await listDecisions(tools.db, { companyId, max: SHOWN_MAX });
    });
    return {
      facts: { decisions },
      lines:
        decisions.length === 0
          ? [texts.nothingSuspicious]
          : decisions.map((decision) => texts.guardDecision(toFoundSuspicious(decision))),
    };
  },
};

function toFoundSuspicious(decision: GuardDecision): FoundSuspicious {
  return {
    at: decision.window_to.toISOString().replace(/:00\.000Z$/, 'Z'),
    companyId: decision.company_id,
    prefix: decision.prefix,
    sent: decision.sent,
    verified: decision.verified,
    most: (decision.bound * 100).toFixed(1),
    action: decision.action,
    sends: decision.sends,
    probes: decision.probes,
  };
}
