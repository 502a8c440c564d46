import { ROW_VERDICTS, type RowVerdict } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Broadcast } from '@zhiber/contract/cabinet/broadcasts.ts';
import { CircleCheck, Download, ListPlus, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { oneOf, useFilters } from '../../app/filters.ts';
import { addressOf } from '../../call.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat, useLang } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { AnchorButton } from '../../ui/controls/anchor-button.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { SwitchField } from '../../ui/controls/tick-field.tsx';
import { Card } from '../../ui/display/card.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { CheckedRows } from './checked-rows.tsx';
import { SaveListDialog } from './save-list-dialog.tsx';
import { StepFrame, type StepProps } from './step-frame.tsx';
import { numberOf } from './steps.ts';
import type { Draft } from './use-draft.ts';

const FILTERS = { show: oneOf(ROW_VERDICTS) };

type Verdicts = NonNullable<Broadcast['rows']['verdicts']>;

/** What becomes of each row. The numbers add up, and every number can be looked into. */
export function CheckStep({ draft }: StepProps) {
  const texts = useBroadcastTexts();
  const { rows } = draft.broadcast;
  const { show } = useFilters(FILTERS).filters;
  if (rows.state === 'checking') {
    return (
      <StepFrame step="check" next={null}>
        <p role="status" className="text-muted">
          {texts.checking}
        </p>
        <SkeletonCard lines={6} />
      </StepFrame>
    );
  }
  if (rows.verdicts === null) {
    return (
      <StepFrame step="check" next={null}>
        <EmptyState
          kind="first-use"
          title={texts.nothingToCheck}
          action={
            <LinkButton to="." search={{ step: numberOf('recipients') }} look="primary">
              {texts.steps.recipients}
            </LinkButton>
          }
        >
          {texts.nothingToCheckNote}
        </EmptyState>
      </StepFrame>
    );
  }
  return (
    <StepFrame step="check">
      <Reconciliation draft={draft} verdicts={rows.verdicts} shown={show}>
        <OtherCountries draft={draft} count={rows.verdicts.other_country} />
      </Reconciliation>
      <SaveToList draft={draft} />
      {show !== undefined && <CheckedRows key={show} draft={draft} verdict={show} />}
    </StepFrame>
  );
}

function Reconciliation(props: {
  draft: Draft;
  verdicts: Verdicts;
  shown: RowVerdict | undefined;
  children: ReactNode;
}) {
  const { draft, verdicts, shown } = props;
  const texts = useBroadcastTexts();
  const format = useFormat();
  const total = ROW_VERDICTS.reduce((sum, verdict) => sum + verdicts[verdict], 0);
  const isRight = total === draft.broadcast.rows.rows;
  return (
    <Card>
      <table className="w-full max-w-2xl text-table">
        <caption className="sr-only">{texts.reconciliation}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{texts.verdict}</th>
            <th scope="col">{texts.rowsCount}</th>
            <th scope="col" colSpan={2}>
              {texts.actions}
            </th>
          </tr>
        </thead>
        <tbody>
          <Line
            title={<strong className="font-semibold">{texts.rowsInFile}</strong>}
            count={draft.broadcast.rows.rows}
          />
          {ROW_VERDICTS.map((verdict) => (
            <Line
              key={verdict}
              isNested
              title={
                verdict === 'send' ? (
                  <strong className="font-semibold text-ok">{texts.verdicts.send}</strong>
                ) : (
                  texts.verdicts[verdict]
                )
              }
              count={verdicts[verdict]}
              actions={
                verdicts[verdict] > 0 && (
                  <VerdictActions draft={draft} verdict={verdict} isShown={shown === verdict} />
                )
              }
            />
          ))}
        </tbody>
        <tfoot className="border-t border-border">
          <tr>
            <th scope="row" className="py-2.5 text-start font-semibold">
              {texts.rowsSum}
            </th>
            <td className="py-2.5 text-end font-semibold">{format.number(total)}</td>
            <td className="ps-3 sm:ps-6" colSpan={2}>
              <span
                className={classes(
                  'flex items-center gap-1.5 text-sm',
                  isRight ? 'text-ok' : 'text-bad',
                )}
              >
                {isRight ? (
                  <CircleCheck aria-hidden="true" size={16} className="shrink-0" />
                ) : (
                  <TriangleAlert aria-hidden="true" size={16} className="shrink-0" />
                )}
                <span className={isRight ? 'max-sm:sr-only' : undefined}>
                  {isRight ? texts.addsUp : texts.doesNotAddUp}
                </span>
              </span>
            </td>
          </tr>
        </tfoot>
      </table>
      {props.children}
    </Card>
  );
}

function Line(props: {
  title: ReactNode;
  count: number;
  isNested?: boolean;
  /** The last two cells. */
  actions?: ReactNode;
}) {
  const format = useFormat();
  return (
    <tr className={classes('h-10', props.count === 0 && 'text-muted')}>
      <th
        scope="row"
        className={classes(
          'py-1 text-start font-normal',
          props.isNested === true && 'ps-1.5 sm:ps-6',
        )}
      >
        {props.title}
      </th>
      <td className="py-1 ps-2 text-end whitespace-nowrap">{format.number(props.count)}</td>
      {props.actions || <td colSpan={2} />}
    </tr>
  );
}

function VerdictActions(props: { draft: Draft; verdict: RowVerdict; isShown: boolean }) {
  const { draft, verdict, isShown } = props;
  const texts = useBroadcastTexts();
  const { lang } = useLang();
  const { setFilters } = useFilters(FILTERS);
  const title = texts.verdicts[verdict];
  return (
    <>
      <td className="w-px py-0.5 sm:ps-6">
        <Button
          look="quiet"
          aria-expanded={isShown}
          aria-label={isShown ? texts.hideOf(title) : texts.showOf(title)}
          className="max-sm:px-1 max-sm:text-sm"
          onClick={() => setFilters({ show: isShown ? undefined : verdict }, { isTyping: true })}
        >
          {isShown ? texts.hide : texts.show}
        </Button>
      </td>
      <td className="py-0.5">
        <AnchorButton
          look="quiet"
          download
          href={addressOf('downloadRows', { params: { id: draft.id }, query: { verdict, lang } })}
          aria-label={texts.downloadOf(title)}
          icon={<Download aria-hidden="true" size={15} />}
          className="max-sm:px-1"
        >
          <span className="max-sm:sr-only">{texts.download}</span>
        </AnchorButton>
      </td>
    </>
  );
}

/** Numbers of other countries are left out unless somebody decides otherwise. */
function OtherCountries({ draft, count }: { draft: Draft; count: number }) {
  const texts = useBroadcastTexts();
  const { includes_other_countries: includes } = draft.broadcast;
  if (count === 0 && !includes) return null;
  return (
    <div className="mt-3">
      <SwitchField
        name="includes_other_countries"
        label={texts.otherCountries}
        hint={texts.otherCountriesHint}
        checked={includes}
        disabled={draft.isSaving}
        onChange={(event) => {
          const isOn = event.currentTarget.checked;
          void draft.save({ includes_other_countries: isOn }).then(draft.adopt);
        }}
      />
    </div>
  );
}

function SaveToList({ draft }: { draft: Draft }) {
  const texts = useBroadcastTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button icon={<ListPlus aria-hidden="true" size={16} />} onClick={() => setOpen(true)}>
        {texts.saveToList}
      </Button>
      <span className="text-sm text-muted">{texts.saveToListHint}</span>
      {isOpen && <SaveListDialog draft={draft} onClose={() => setOpen(false)} />}
    </div>
  );
}
