import { useNavigate } from '@tanstack/react-router';
import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useFilters } from '../../app/filters.ts';
import { invalidate, useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Page } from '../../ui/display/page.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Menu, MenuButton } from '../../ui/overlays/menu.tsx';
import { BroadcastState } from '../broadcast-state.tsx';
import { NameDialog } from '../name-dialog.tsx';
import { HandierOnComputer } from '../new-broadcast-dialog.tsx';
import { AwaitingApproval } from './awaiting-approval.tsx';
import { CheckStep } from './check-step.tsx';
import { RecipientsStep } from './recipients-step.tsx';
import { SaveNote } from './save-note.tsx';
import { SendingStep } from './sending-step.tsx';
import type { StepProps } from './step-frame.tsx';
import { StepList } from './step-list.tsx';
import { firstOpenStep, numberOf, type Step, stepOf } from './steps.ts';
import { Summary, SummaryStep } from './summary-step.tsx';
import { TextStep } from './text-step.tsx';
import type { Draft } from './use-draft.ts';

const FILTERS = { step: stepOf };
const BODIES: Record<Step, (props: StepProps) => React.ReactNode> = {
  recipients: RecipientsStep,
  check: CheckStep,
  text: TextStep,
  sending: SendingStep,
  summary: SummaryStep,
};

export function DraftPage({ draft }: { draft: Draft }) {
  const texts = useBroadcastTexts();
  const canChange = useRight('broadcasts.change');
  const { broadcast } = draft;
  useFreshFigures(broadcast.rows.state);
  if (broadcast.needs_approval) return <AwaitingApproval draft={draft} />;
  return (
    <Page
      title={broadcast.name}
      lead={<BroadcastState broadcast={broadcast} />}
      actions={canChange && <DraftMenu draft={draft} />}
    >
      {canChange ? (
        <Steps draft={draft} />
      ) : (
        <>
          <p className="text-table text-muted">{texts.onlyReading}</p>
          <Summary broadcast={broadcast} />
        </>
      )}
    </Page>
  );
}

/** Once the rows are checked again, everything that counts them is out of date. */
function useFreshFigures(rowsState: string): void {
  useEffect(() => {
    if (rowsState === 'checked') invalidate(['rows', 'checkText', 'estimate']);
  }, [rowsState]);
}

function Steps({ draft }: { draft: Draft }) {
  const navigate = useNavigate();
  const { step: asked } = useFilters(FILTERS).filters;
  // The step that a draft opens at stays, although work on it may complete it.
  const [first] = useState(() => firstOpenStep(draft.broadcast));
  const step = asked ?? first;
  const Body = BODIES[step];
  const body = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  // The button that led here is gone: the focus goes on to the heading of the next step.
  useEffect(() => {
    if (shown.current !== step) body.current?.querySelector('h2')?.focus();
    shown.current = step;
  }, [step]);
  const goTo = (next: Step) => void navigate({ to: '.', search: { step: numberOf(next) } });
  return (
    <>
      <HandierOnComputer />
      <StepList broadcast={draft.broadcast} current={step} />
      <SaveNote draft={draft} />
      <div ref={body}>
        <Body key={`${step} ${draft.epoch}`} draft={draft} goTo={goTo} />
      </div>
    </>
  );
}

function DraftMenu({ draft }: { draft: Draft }) {
  const texts = useBroadcastTexts();
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu
        label={texts.draftMenu}
        button={<EllipsisVertical aria-hidden="true" size={18} className="mx-auto" />}
        buttonClassName="border border-border hover:bg-sunken"
      >
        <MenuButton
          icon={<Pencil aria-hidden="true" size={16} />}
          onClick={() => setOpen('rename')}
        >
          {texts.rename}
        </MenuButton>
        <MenuButton
          icon={<Trash2 aria-hidden="true" size={16} />}
          onClick={() => setOpen('delete')}
        >
          {texts.deleteDraft}
        </MenuButton>
      </Menu>
      {open === 'rename' && <RenameDialog draft={draft} onClose={close} />}
      {open === 'delete' && <DeleteDialog draft={draft} onClose={close} />}
    </>
  );
}

function RenameDialog({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const texts = useBroadcastTexts();
  const { ui } = useTexts();
  const rename = async (name: string) => {
    if (await draft.save({ name })) onClose();
  };
  return (
    <NameDialog
      title={texts.rename}
      action={ui.save}
      field={{ label: texts.name, hint: texts.nameHint, defaultValue: draft.broadcast.name }}
      state={{ isPending: draft.isSaving, error: draft.saveError }}
      onName={(name) => void rename(name)}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const texts = useBroadcastTexts();
  const navigate = useNavigate();
  const remove = useAction('deleteBroadcast', { invalidates: ['broadcasts'] });
  return (
    <ConfirmDialog
      title={texts.deleteTitle(draft.broadcast.name)}
      action={texts.deleteDraft}
      state={remove}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { params: { id: draft.id } },
          { onSuccess: () => void navigate({ to: '/app/broadcasts' }) },
        )
      }
    >
      <p className="text-table text-muted">{texts.deleteNote}</p>
    </ConfirmDialog>
  );
}
