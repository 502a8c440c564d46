import { DeskLink } from './desk-link.tsx';

/** Opens the page of the company. */
export function CompanyLink({ company }: { company: { id: number; name: string } }) {
  return (
    <DeskLink to={['companies', company.id]} className="link wrap-anywhere">
      {company.name}
    </DeskLink>
  );
}
