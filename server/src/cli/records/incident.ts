import {
  COMPONENTS,
  type Component,
  INCIDENT_IMPACTS,
  INCIDENT_STATES,
  INCIDENT_TEXT_MAX,
  INCIDENT_TITLE_MAX,
} from '@zhiber/contract/admin/incidents.ts';
import { almatyTime } from '../../almaty.ts';
import { systemClock } from '../../clock.ts';
import { Problem } from '../../problem.ts';
import type { IncidentFacts, StoredIncident, Translated } from '../../status/incident-store.ts';
import {
  createIncident,
  listIncidents,
  publishIncident,
  readIncident,
  type Said,
  updateIncident,
} from '../../status/incidents.ts';
import { type Call, type Command, type Given, Refusal, UsageError } from '../grammar/command.ts';
import type { Texts } from '../grammar/texts.ts';
import {
  idOf,
  oneOf,
  optionalMoment,
  optionalName,
  requiredName,
  requiredOption,
} from '../grammar/values.ts';
import { readStorage, withStorage } from '../with-storage.ts';

/** The audit log records no person for a change from the command line. */
const TERMINAL = {};

const TITLE_OPTIONS = { title: 'text', 'title-kk': 'text', 'title-en': 'text' } as const;
const TEXT_OPTIONS = { text: 'text', 'text-kk': 'text', 'text-en': 'text' } as const;
const TRANSLATIONS = '[--title-kk …] [--title-en …] [--text-kk …] [--text-en …]';

export const incidentList: Command = {
  name: 'incident list',
  usage: '',
  summary: {
    en: 'Shows the newest incidents and maintenance, drafts too',
    ru: 'Показывает последние инциденты и работы, вместе с черновиками',
  },
  async run({ env, texts }) {
    const { incidents } = await readStorage(env, (tools) => listIncidents(tools, undefined));
    return {
      facts: { incidents: incidents.map(toFacts) },
      lines:
        incidents.length === 0
          ? [texts.noIncidents]
          : incidents.map((incident) => lineOf(incident, texts)),
    };
  },
};

export const incidentOpen: Command = {
  name: 'incident open',
  usage: `--title TEXT --text TEXT --components a,b [--impact ${INCIDENT_IMPACTS.join('|')}] [--state STATE] [--publish] ${TRANSLATIONS}`,
  summary: {
    en: 'Writes down an incident, as a draft or with --publish for everybody',
    ru: 'Записывает инцидент: черновиком, а с --publish — сразу для всех',
  },
  options: {
    ...TITLE_OPTIONS,
    ...TEXT_OPTIONS,
    components: 'text',
    impact: 'text',
    state: 'text',
    publish: 'switch',
  },
  async run(call) {
    const { given } = call;
    const impact = oneOf('--impact', given.text('impact') ?? 'minor', INCIDENT_IMPACTS);
    const said = { state: stateOf(given, 'investigating'), text: textOf(given) };
    const facts = { title: titleOf(given), impact, components: componentsOf(given), planned: null };
    return await create(call, { facts, said });
  },
};

export const incidentMaintenance: Command = {
  name: 'incident maintenance',
  usage: `--title TEXT --text TEXT --components a,b --from MOMENT --until MOMENT [--publish] ${TRANSLATIONS}`,
  summary: {
    en: 'Announces planned maintenance, in Almaty time',
    ru: 'Объявляет плановые работы, по времени Алматы',
  },
  options: {
    ...TITLE_OPTIONS,
    ...TEXT_OPTIONS,
    components: 'text',
    from: 'text',
    until: 'text',
    publish: 'switch',
  },
  async run(call) {
    const { given } = call;
    const now = systemClock.now();
    const momentOf = (option: string) => {
      requiredOption(given, option);
      return optionalMoment(given, option, now) as Date;
    };
    const planned = { from: momentOf('from'), until: momentOf('until') };
    if (planned.from >= planned.until) throw new UsageError((say) => say.endBeforeStart);
    const said = { state: 'identified' as const, text: textOf(given) };
    const facts = {
      title: titleOf(given),
      impact: 'minor' as const,
      components: componentsOf(given),
      planned,
    };
    return await create(call, { facts, said });
  },
};

export const incidentUpdate: Command = {
  name: 'incident update',
  usage: 'ID --text TEXT [--state STATE] [--text-kk …] [--text-en …]',
  summary: {
    en: `Adds a text and moves the incident to a state: ${INCIDENT_STATES.join(', ')}`,
    ru: `Добавляет сообщение и меняет состояние: ${INCIDENT_STATES.join(', ')}`,
  },
  options: { ...TEXT_OPTIONS, state: 'text' },
  operands: ['ID'],
  async run(call) {
    return await update(call, (incident) => stateOf(call.given, incident.state));
  },
};

export const incidentResolve: Command = {
  name: 'incident resolve',
  usage: 'ID --text TEXT [--text-kk …] [--text-en …]',
  summary: {
    en: 'Ends an incident or maintenance; once more adds the report afterwards',
    ru: 'Закрывает инцидент или работы; повторно — добавляет разбор',
  },
  options: TEXT_OPTIONS,
  operands: ['ID'],
  async run(call) {
    return await update(call, () => 'resolved');
  },
};

export const incidentPublish: Command = {
  name: 'incident publish',
  usage: 'ID',
  summary: {
    en: 'Shows an incident to everybody, for good',
    ru: 'Показывает инцидент всем, насовсем',
  },
  operands: ['ID'],
  async run({ given, env, texts }) {
    const id = idOf('ID', given.operands[0] as string);
    const isChanged = await withStorage(env, (tools) =>
      publishIncident(tools, TERMINAL, id).catch((error: unknown) => refuseUnknown(error, id)),
    );
    if (!isChanged) throw new Refusal((say) => say.incidentPublic(id));
    return { facts: { id, published: true }, lines: [texts.incidentPublished(id)] };
  },
};

async function create({ given, env, texts }: Call, incident: { facts: IncidentFacts; said: Said }) {
  const isPublished = given.isOn('publish');
  const id = await withStorage(env, async (tools) => {
    const made = await createIncident(tools, TERMINAL, incident);
    if (isPublished) await publishIncident(tools, TERMINAL, made);
    return made;
  });
  return {
    facts: { id, published: isPublished },
    lines: [isPublished ? texts.incidentPublished(id) : texts.incidentDrafted(id)],
  };
}

async function update(
  { given, env, texts }: Call,
  nextState: (incident: StoredIncident) => Said['state'],
) {
  const id = idOf('ID', given.operands[0] as string);
  const text = textOf(given);
  const { state, number } = await withStorage(env, async (tools) => {
    const { incident } = await readIncident(tools, id).catch((error: unknown) =>
      refuseUnknown(error, id),
    );
    const said = { state: nextState(incident), text };
    return { state: said.state, number: await updateIncident(tools, TERMINAL, { id, said }) };
  });
  return { facts: { id, state, number }, lines: [texts.incidentUpdated(id, state)] };
}

function refuseUnknown(error: unknown, id: number): never {
  const isUnknown = error instanceof Problem && error.code === 'not_found';
  throw isUnknown ? new Refusal((say) => say.noIncident(id)) : error;
}

function titleOf(given: Given): Translated {
  return {
    ru: requiredName(given, 'title', INCIDENT_TITLE_MAX),
    kk: optionalName(given, 'title-kk', INCIDENT_TITLE_MAX) ?? null,
    en: optionalName(given, 'title-en', INCIDENT_TITLE_MAX) ?? null,
  };
}

/** Several lines are allowed, unlike in a title. */
function textOf(given: Given): Translated {
  const read = (option: string): string | null => {
    const text = given.text(option)?.trim();
    if (text === undefined) return null;
    if (text.length < 1 || text.length > INCIDENT_TEXT_MAX) {
      throw new UsageError((say) => say.badText(`--${option}`, INCIDENT_TEXT_MAX));
    }
    return text;
  };
  requiredOption(given, 'text');
  return { ru: read('text') as string, kk: read('text-kk'), en: read('text-en') };
}

function stateOf(given: Given, otherwise: Said['state']): Said['state'] {
  return oneOf('--state', given.text('state') ?? otherwise, INCIDENT_STATES);
}

function componentsOf(given: Given): Component[] {
  const words = requiredOption(given, 'components').split(',');
  const components = words.map((word) => oneOf('--components', word.trim(), COMPONENTS));
  const repeated = components.find((word, at) => components.indexOf(word) !== at);
  if (repeated !== undefined) throw new UsageError((say) => say.twice('--components', repeated));
  return components;
}

function toFacts(incident: StoredIncident) {
  const { id, title, impact, components, state, planned } = incident;
  return {
    id,
    title,
    impact,
    components,
    state,
    started_at: incident.startedAt.toISOString(),
    published_at: incident.publishedAt?.toISOString() ?? null,
    resolved_at: incident.resolvedAt?.toISOString() ?? null,
    planned_from: planned?.from.toISOString() ?? null,
    planned_until: planned?.until.toISOString() ?? null,
  };
}

function lineOf(incident: StoredIncident, texts: Texts): string {
  const { id, title, components, state, planned, publishedAt } = incident;
  return [
    id,
    almatyTime(incident.startedAt),
    state,
    ...(publishedAt === null ? [texts.isDraft] : []),
    ...(planned === null
      ? [incident.impact]
      : [texts.plannedFor(almatyTime(planned.from), almatyTime(planned.until))]),
    components.join(','),
    title.ru,
  ].join('  ');
}
