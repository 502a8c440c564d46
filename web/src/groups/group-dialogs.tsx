import { GROUP_NAME_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import type { Group } from '@zhiber/contract/cabinet/links.ts';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { ActDialog } from '../ui/overlays/act-dialog.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
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
    <ActDialog
      title={texts.groups.rename}
      action={texts.ui.save}
      state={rename}
      onSubmit={(values) =>
        rename.mutate(
          { params: { id: group.id }, body: { name: values.text('name') } },
          { onSuccess: finish },
        )
      }
      onClose={onClose}
    >
      <NameField name={group.name} />
    </ActDialog>
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
      state={unlink}
      onClose={onClose}
      onConfirm={() => unlink.mutate({ params: { id: group.id } }, { onSuccess: finish })}
    >
      <p className="text-table">{texts.unlinkNote}</p>
    </ConfirmDialog>
  );
}
