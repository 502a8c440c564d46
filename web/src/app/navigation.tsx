import { Link } from '@tanstack/react-router';
import { useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { classes } from '../ui/classes.ts';
import { SECTION_GROUPS, type Section } from './sections.ts';

/** The sections that the user's role can see. */
export function useSections(): (readonly Section[])[] {
  const rights = useSession().company?.rights ?? [];
  return SECTION_GROUPS.map((group) => group.filter(({ right }) => rights.includes(right))).filter(
    (group) => group.length > 0,
  );
}

/** `onGo` is set in the dialog on small screens, which has its own heading and closes itself. */
export function Navigation({ className, onGo }: { className?: string; onGo?: () => void }) {
  const texts = useTexts().layout;
  const groups = useSections();
  return (
    <nav aria-label={texts.navigation} className={classes('flex-col', className)}>
      <div className={classes('grid gap-1', onGo === undefined ? 'sticky top-0 p-3' : '-mx-3')}>
        {onGo === undefined && (
          <Link to="/app" className="mb-2 px-3 py-2 text-lg font-bold tracking-tight">
            Zhiber
          </Link>
        )}
        {groups.map((group) => (
          <ul
            key={group[0]?.name}
            className="grid gap-0.5 border-hairline not-last:mb-2 not-last:border-b not-last:pb-2"
          >
            {group.map((section) => (
              <li key={section.name}>
                <SectionLink section={section} onGo={onGo} />
              </li>
            ))}
          </ul>
        ))}
      </div>
    </nav>
  );
}

function SectionLink({ section, onGo }: { section: Section; onGo: (() => void) | undefined }) {
  const { name, to, icon: Icon } = section;
  const title = useTexts().layout.sections[name];
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/app', includeSearch: false }}
      onClick={onGo}
      className="target flex items-center gap-3 rounded-control px-3 py-1 text-table text-muted hover:bg-sunken hover:text-text aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-text"
    >
      <Icon aria-hidden="true" size={18} className="shrink-0" />
      {title}
    </Link>
  );
}
