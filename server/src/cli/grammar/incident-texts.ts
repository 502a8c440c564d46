import type { Lang } from './language.ts';

const EN = {
  noIncidents: 'There were no incidents.',
  noIncident: (id: number) => `There is no incident ${id}.`,
  incidentDrafted: (id: number) =>
    `Incident ${id} is a draft. \`zhiber incident publish ${id}\` shows it to everybody.`,
  incidentPublished: (id: number) => `Incident ${id} is on the status page.`,
  incidentPublic: (id: number) => `Incident ${id} is public already.`,
  incidentUpdated: (id: number, state: string) => `Incident ${id} is updated: ${state}.`,
  badText: (name: string, max: number) => `${name} should be a text of 1 to ${max} characters.`,
  endBeforeStart: '--until should be later than --from.',
  isDraft: 'draft',
  plannedFor: (from: string, until: string) => `maintenance from ${from} until ${until}`,

  statusPageServed: (url: string, folder: string) =>
    `The status page is at ${url}, from the snapshot in ${folder}.`,
  apiAsked: (url: string) => `The API is asked at ${url}.`,
  notBuilt: 'The pages have not been built: npm run build.',
};
export type IncidentTexts = typeof EN;

const RU: IncidentTexts = {
  noIncidents: 'Инцидентов не было.',
  noIncident: (id) => `Инцидента ${id} нет.`,
  incidentDrafted: (id) =>
    `Инцидент ${id} — черновик. Чтобы его увидели все: \`zhiber incident publish ${id}\`.`,
  incidentPublished: (id) => `Инцидент ${id} опубликован на странице статуса.`,
  incidentPublic: (id) => `Инцидент ${id} уже опубликован.`,
  incidentUpdated: (id, state) => `Инцидент ${id} обновлён: ${state}.`,
  badText: (name, max) => `${name}: текст от 1 до ${max} знаков.`,
  endBeforeStart: '--until должно быть позже --from.',
  isDraft: 'черновик',
  plannedFor: (from, until) => `работы с ${from} до ${until}`,

  statusPageServed: (url, folder) => `Страница статуса: ${url}, по данным из ${folder}.`,
  apiAsked: (url) => `API проверяется по адресу ${url}.`,
  notBuilt: 'Страницы не собраны: npm run build.',
};

export const INCIDENT_TEXTS: Readonly<Record<Lang, IncidentTexts>> = { en: EN, ru: RU };
