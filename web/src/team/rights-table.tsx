import { hasRight, RIGHTS, type Right, ROLES, type Role } from '@zhiber/contract/cabinet/rights.ts';
import { Check, Minus } from 'lucide-react';
import { useTexts } from '../texts/use-texts.tsx';
import { classes } from '../ui/classes.ts';

const ALL_RIGHTS = Object.keys(RIGHTS) as Right[];

/** The rights that the server enforces. On a small screen each right lists its roles. */
export function RightsTable() {
  const texts = useTexts();
  return (
    <section className="grid gap-3">
      <h2 className="text-lg">{texts.team.rightsTitle}</h2>
      <div className="min-w-0 rounded-card border border-hairline bg-surface">
        <table className="w-full text-table max-lg:block">
          <caption className="sr-only">{texts.team.rightsTitle}</caption>
          <thead className="max-lg:sr-only">
            <tr>
              <th scope="col" className="px-3 py-2 text-start text-sm font-medium text-muted">
                {texts.team.right}
              </th>
              {ROLES.map((role) => (
                <th
                  key={role}
                  scope="col"
                  className="px-1 py-2 text-center text-sm font-medium text-muted"
                >
                  {texts.ui.roles[role]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-lg:block">
            {ALL_RIGHTS.map((right) => (
              <RightRow key={right} right={right} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function RightRow({ right }: { right: Right }) {
  const texts = useTexts().team;
  return (
    <tr className="border-t border-hairline max-lg:flex max-lg:flex-wrap max-lg:gap-x-3 max-lg:px-3 max-lg:py-2 max-lg:first:border-t-0">
      <th
        scope="row"
        className="px-3 py-1.5 text-start font-normal max-lg:w-full max-lg:px-0 max-lg:py-0 max-lg:font-medium"
      >
        {texts.rights[right]}
      </th>
      {ROLES.map((role) => (
        <RightCell key={role} role={role} isGiven={hasRight(role, right)} />
      ))}
    </tr>
  );
}

function RightCell({ role, isGiven }: { role: Role; isGiven: boolean }) {
  const texts = useTexts();
  const Icon = isGiven ? Check : Minus;
  return (
    <td
      data-title={texts.ui.roles[role]}
      className={classes(
        'px-1 py-1.5 text-center max-lg:p-0 max-lg:text-sm max-lg:text-muted max-lg:before:content-[attr(data-title)]',
        !isGiven && 'max-lg:hidden',
      )}
    >
      <Icon
        aria-hidden="true"
        size={16}
        className={classes('mx-auto max-lg:hidden', isGiven ? 'text-ok' : 'text-faint')}
      />
      <span className="sr-only">{isGiven ? texts.team.yes : texts.team.no}</span>
    </td>
  );
}
