import { GROUP_NAME_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import type { Group } from '@zhiber/contract/cabinet/links.ts';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';

export type GroupDialogProps = { group: Group; onClose: () => void };

export function RenameDialog({ group, onClose }: GroupDialogProps) {
  const texts = useTexts();
  const { showToast } = useToasts();
  const rename = useAction('renameGroup', { invalidates: ['groups'] });
  const finish = () => {
    onClose();
    showToast(texts.groups.renamed);
  };
  return (
    <Dialog title={texts.groups.rename} onClose={onClose}>
      <Form
        error={rename.error}
        onSubmit={(values) =>
          rename.mutate(
            { params: { id: group.id }, body: { name: values.text('name') } },
            { onSuccess: finish },
          )
        }
      >
        <NameField name={group.name} />
        <FormActions>
          <Button type="submit" look="primary" isBusy={rename.isPending}>
            {texts.ui.save}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {texts.ui.cancel}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

/** API requests can refer to a group by this name. */
export function NameField({ name }: { name?: string }) {
  const texts = useTexts().groups;
  return (
    <TextField
      name="name"
      label={texts.name}
      hint={texts.nameHint}
      defaultValue={name}
      maxLength={GROUP_NAME_LENGTH_MAX}
      autoComplete="off"
      required
    />
  );
}

export function UnlinkDialog({ group, onClose }: GroupDialogProps) {
  const texts = useTexts().groups;
  const { showToast } = useToasts();
  const unlink = useAction('unlinkGroup', { invalidates: ['groups'] });
  const finish = () => {
    onClose();
    showToast(texts.unlinked(group.name));
  };
  return (
    <ConfirmDialog
      title={texts.unlinkTitle(group.name)}
      action={texts.unlink}
      error={unlink.error}
      isBusy={unlink.isPending}
      onClose={onClose}
      onConfirm={() => unlink.mutate({ params: { id: group.id } }, { onSuccess: finish })}
    >
      <p className="text-table">{texts.unlinkNote}</p>
    </ConfirmDialog>
  );
}
