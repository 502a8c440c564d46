import { CircleCheck } from 'lucide-react';
import { CallError } from '../call-error.ts';
import { useAction } from '../queries.ts';
import { useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import type { GroupDialogProps } from './group-dialogs.tsx';

/** Posts a test message and stays open to show the result. */
export function TestPostDialog({ group, onClose }: GroupDialogProps) {
  const texts = useTexts();
  const { is_sandbox: isSandbox } = useSession();
  const post = useAction('testGroup', { invalidates: ['groups', 'session'] });
  return (
    <Dialog title={texts.groups.testTitle(group.name)} onClose={onClose}>
      {post.data === undefined ? (
        <Form error={post.error} onSubmit={() => post.mutate({ params: { id: group.id } })}>
          <p className="text-table">
            {texts.groups.testLead} {isSandbox ? texts.groups.testSandbox : texts.groups.testPrice}
          </p>
          {isUnpaid(post.error) && <p className="text-table">{texts.groups.testNeedsTopup}</p>}
          <FormActions>
            <Button type="submit" look="primary" isBusy={post.isPending}>
              {texts.groups.testSend}
            </Button>
            <Button look="quiet" onClick={onClose}>
              {texts.ui.cancel}
            </Button>
          </FormActions>
        </Form>
      ) : (
        <Posted messageId={post.data.message_id} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Posts are free: tokens are missed only by a company that has never paid. */
function isUnpaid(error: Error | null): boolean {
  return error instanceof CallError && error.code === 'insufficient_tokens';
}

function Posted({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  const texts = useTexts();
  const { is_sandbox: isSandbox } = useSession();
  return (
    <div className="grid gap-4">
      <p role="status" className="flex gap-2">
        <CircleCheck aria-hidden="true" size={20} className="mt-0.5 shrink-0 text-ok" />
        {isSandbox ? texts.groups.testDoneSandbox : texts.groups.testDone}
      </p>
      <FormActions>
        <LinkButton look="primary" to="/app/messages/$id" params={{ id: messageId }}>
          {texts.groups.testStory}
        </LinkButton>
        <Button look="quiet" onClick={onClose}>
          {texts.ui.close}
        </Button>
      </FormActions>
    </div>
  );
}
