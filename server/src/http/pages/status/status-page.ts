import type { Lang } from '@zhiber/contract/languages.ts';
import type {
  ComponentState,
  OperatorText,
  PublicIncident,
  StatusComponent,
  StatusDay,
  StatusSnapshot,
  StatusTexts,
} from '@zhiber/contract/pages/status.ts';
import { worstOf, worstOfDay } from '../../../status/component-state.ts';
import { isStale, phaseOf } from '../../../status/snapshot.ts';
import { type Html, html } from '../html.ts';
import { localHref, renderPage, type View } from '../layout.ts';
import {
  formatDay,
  formatMinutes,
  formatMoment,
  formatMonth,
  formatSeconds,
  formatSpan,
} from './status-times.ts';

export type StatusNow = {
  snapshot: StatusSnapshot;
  now: Date;
  /** Set by a process that has asked the API and got no answer. */
  isApiSilent?: boolean;
};

const PATHS = {
  operational: 'M4 10.5l4 4 8-9',
  maintenance: 'M10 5v5l3 2M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15',
  degraded: 'M10 3L2.5 16.5h15zM10 8v4M10 14.5v.1',
  partial: 'M10 3L2.5 16.5h15zM10 8v4M10 14.5v.1',
  major: 'M5 5l10 10M15 5L5 15',
  unknown: 'M4 10h12',
} as const satisfies Record<ComponentState | 'unknown', string>;

/** `/status`: what works now, what did in the last ninety days, and what operators say about it. */
export function statusPage(view: View, { snapshot, now, isApiSilent = false }: StatusNow): string {
  const texts = view.texts.status;
  const { lang } = view;
  const { incidents } = snapshot;
  const open = incidents.filter(({ planned, state }) => planned === null && state !== 'resolved');
  const planned = incidents.filter((incident) =>
    ['scheduled', 'inProgress'].includes(phaseOf(incident, now) ?? ''),
  );
  const body = html`<div class="wide status">
<h1>${texts.title}</h1>
${isApiSilent && notice(html`<strong>${texts.apiSilent}</strong> ${texts.apiSilentNote}`)}
${overall(view, snapshot)}
<p class="note">${texts.asOf} ${formatMoment(snapshot.at, lang).split(', ')[0]}, ${formatSeconds(snapshot.at)} · ${texts.almaty} · <a href="#subscribe">${texts.subscribe}</a></p>
${isStale(snapshot, now) && notice(html`${texts.stale}`)}
${
  open.length > 0 &&
  html`<section aria-labelledby="active"><h2 id="active">${texts.active}</h2>
${open.map((incident) => incidentArticle(view, incident, now))}</section>`
}
${
  planned.length > 0 &&
  html`<section aria-labelledby="maintenance"><h2 id="maintenance">${texts.maintenance}</h2>
${planned.map((incident) => incidentArticle(view, incident, now))}</section>`
}
${componentList(view, snapshot)}
${history(view, snapshot, now)}
<section aria-labelledby="method"><h2 id="method">${texts.method}</h2>
${texts.methodText.map((line) => html`<p class="note">${line}</p>`)}</section>
<section aria-labelledby="subscribe"><h2 id="subscribe">${texts.subscribe}</h2>
<p class="related-links"><a href="${localHref('/status/history.atom', lang)}">${texts.feed}</a>
<a href="${localHref('/status/summary.json', lang)}">${texts.summary}</a>
<a href="${localHref('/status/badge.svg', lang)}">${texts.badge}</a></p></section>
</div>`;
  return renderPage(view, {
    title: texts.pageTitle,
    description: texts.description,
    body,
    shell: 'site',
    isIndexed: true,
    // This page has nothing for a script to do.
    scripts: [],
    feeds: [
      {
        href: localHref('/status/history.atom', view.lang),
        type: 'application/atom+xml',
        title: texts.pageTitle,
      },
    ],
  });
}

function notice(content: Html): Html {
  return html`<p class="status-notice" role="status">${content}</p>`;
}

function overall({ texts: { status: texts } }: View, { components }: StatusSnapshot): Html {
  const worst = worstOf(components.map(({ state }) => state));
  const hasUnknown = components.some(({ state }) => state === null);
  const concerned = components.filter(({ state }) => state === worst);
  const names = concerned.map(({ name }) => texts.componentNames[name]).join(', ');
  const text =
    worst === null
      ? texts.overall.unknown
      : worst !== 'operational'
        ? `${texts.overall[worst]}: ${names}`
        : hasUnknown
          ? texts.overallSomeUnknown
          : texts.overall.operational;
  return html`<p class="overall is-${worst ?? 'unknown'}">${icon(worst)}<strong>${text}</strong></p>`;
}

function icon(state: ComponentState | null): Html {
  const path = PATHS[state ?? 'unknown'];
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`;
}

/** Where all components are measured in one way, it is said once. */
function componentList(view: View, { components }: StatusSnapshot): Html {
  const texts = view.texts.status;
  const sources = new Set(components.map((component) => sourceText(component, texts)));
  const [common] = sources.size === 1 ? sources : [];
  return html`<section aria-labelledby="components"><h2 id="components">${texts.components}</h2>
${common !== undefined && html`<p class="note measured-by">${common}</p>`}
<ul class="components">${components.map((component) => componentItem(view, component, common === undefined))}</ul></section>`;
}

function componentItem(view: View, component: StatusComponent, hasSource: boolean): Html {
  const texts = view.texts.status;
  const { name, state, days, uptimePercent } = component;
  const title = texts.componentNames[name];
  const faulty = days.filter((day) => day.degraded + day.partial + day.major > 0).toReversed();
  return html`<li id="${name}">
<div class="component-head"><h3>${title}</h3>
${hasSource && html`<p class="note measured-by">${sourceText(component, texts)}</p>`}
<span class="state is-${state ?? 'unknown'}">${icon(state)}${texts.states[state ?? 'unknown']}</span></div>
${dayTable(view, title, days)}
<p class="bars-legend"><span class="wide-only">${texts.days90}</span><span class="narrow-days">${texts.days30}</span>
<span>${uptimePercent === null ? texts.uptimeUnknown : `${texts.uptime} ${formatPercent(uptimePercent, view.lang)}`}</span>
<span>${texts.today}</span></p>
${
  faulty.length > 0 &&
  html`<details><summary>${texts.faultyDays} (${faulty.length})</summary>
<ul class="faulty">${faulty.map((day) => html`<li>${dayText(day, view.lang, texts)}</li>`)}</ul></details>`
}
</li>`;
}

function sourceText({ measuredBy }: StatusComponent, { sources }: StatusTexts): string {
  const isReal = measuredBy.includes('traffic');
  const isProbed = measuredBy.includes('probe') || measuredBy.includes('outside');
  if (isReal && isProbed) return sources.both;
  if (isReal) return sources.traffic;
  return isProbed ? sources.probe : sources.none;
}

/**
 * The bars are the rows of a table: a screen reader gets a day and what was measured in it. The
 * roles are written out, because a row that a style makes a bar is no row to a browser.
 */
function dayTable(view: View, title: string, days: readonly StatusDay[]): Html {
  const texts = view.texts.status;
  const { lang } = view;
  return html`<table class="bars" role="table"><caption class="visually-hidden">${title}: ${texts.daysCaption}</caption>
<thead role="rowgroup" class="visually-hidden"><tr role="row"><th role="columnheader">${texts.day}<th role="columnheader">${texts.dayResult}</thead>
<tbody role="rowgroup">${days.map(
    (day) =>
      html`<tr role="row" class="is-${worstOfDay(day) ?? 'unknown'}" title="${dayText(day, lang, texts)}"><th role="rowheader">${formatDay(day.day, lang)}<td role="cell">${dayResult(day, texts)}`,
  )}</tbody></table>`;
}

/** `12 окт: 14 мин, частичный сбой`. */
export function dayText(day: StatusDay, lang: Lang, texts: StatusTexts): string {
  return `${formatDay(day.day, lang)}: ${dayResult(day, texts)}`;
}

/** A day of which less than this was measured says how much. */
const MEASURED_ENOUGH = 1_296;

function dayResult(day: StatusDay, texts: StatusTexts): string {
  const { measured, maintenance } = day;
  if (measured + maintenance === 0) return texts.noData;
  const of = (minutes: number, what: string) =>
    minutes === 0 ? [] : [`${formatMinutes(minutes, texts)}, ${what.toLocaleLowerCase()}`];
  const faults = (['major', 'partial', 'degraded'] as const).flatMap((state) =>
    of(day[state], texts.states[state]),
  );
  const parts = [
    ...(faults.length === 0 && measured > 0 ? [texts.noFaults] : faults),
    ...of(maintenance, texts.states.maintenance),
    ...(measured > 0 && measured + maintenance < MEASURED_ENOUGH
      ? [`${texts.measured} ${formatMinutes(measured, texts)}`]
      : []),
  ];
  return parts.join('; ');
}

export function formatPercent(percent: number, lang: Lang): string {
  const text = percent.toFixed(2).replace(/\.?0+$/, '');
  return lang === 'en' ? `${text}%` : `${text.replace('.', ',')} %`;
}

function incidentArticle(view: View, incident: PublicIncident, now: Date): Html {
  const texts = view.texts.status;
  const { lang } = view;
  const { id, title, planned, components, impact, startedAt } = incident;
  const phase = phaseOf(incident, now);
  const when = planned === null ? formatMoment(startedAt, lang) : formatSpan(planned, lang);
  const label =
    phase === undefined
      ? `${texts.incidentStates[incident.state]} · ${texts.impacts[impact]}`
      : texts.maintenanceStates[phase];
  const look =
    phase !== undefined
      ? 'maintenance'
      : incident.state === 'resolved'
        ? 'operational'
        : IMPACT_LOOKS[impact];
  return html`<article class="incident" id="incident-${id}">
<h3>${written(title, lang)}</h3>
<p class="incident-facts"><span class="state is-${look}">${icon(look)}${label}</span>
<span>${when} · ${texts.almaty}</span>
<span>${texts.affects}: ${components.map((name) => texts.componentNames[name]).join(', ')}</span></p>
<ol class="updates">${incident.updates.map(
    (
      update,
    ) => html`<li class="update"><p class="note"><time datetime="${update.at}">${formatMoment(update.at, lang)}</time> · ${updateLabel(update, incident, texts)}</p>
<p class="update-text">${written(update.text, lang)}</p></li>`,
  )}</ol>
</article>`;
}

const IMPACT_LOOKS = { minor: 'degraded', major: 'partial', critical: 'major' } as const;

/** What was said during maintenance has the state of that moment. */
export function updateLabel(
  update: PublicIncident['updates'][number],
  { planned }: PublicIncident,
  texts: StatusTexts,
): string {
  if (planned === null) return texts.incidentStates[update.state];
  const phase = phaseOf({ planned, state: update.state }, new Date(update.at)) ?? 'scheduled';
  return texts.maintenanceStates[phase];
}

/** Russian, marked as such, where there is no translation. */
function written(text: OperatorText, lang: Lang): Html {
  const own = text[lang];
  return own === null ? html`<span lang="ru">${text.ru}</span>` : html`${own}`;
}

/** What is over, by month, the newest first. */
function history(view: View, { incidents }: StatusSnapshot, now: Date): Html {
  const texts = view.texts.status;
  const over = incidents
    .filter((incident) => incident.state === 'resolved' || phaseOf(incident, now) === 'completed')
    .map((incident) => ({ incident, at: incident.planned?.from ?? incident.startedAt }))
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const months = new Map<string, PublicIncident[]>();
  for (const { incident, at } of over) {
    const month = formatMonth(at, view.lang);
    months.set(month, [...(months.get(month) ?? []), incident]);
  }
  return html`<section aria-labelledby="history"><h2 id="history">${texts.history}</h2>
${over.length === 0 && html`<p class="note">${texts.historyNone}</p>`}
${[...months].map(
  (
    [month, list],
    at,
  ) => html`<details class="month"${at === 0 && html` open`}><summary>${month} (${list.length})</summary>
${list.map((incident) => incidentArticle(view, incident, now))}</details>`,
)}</section>`;
}
