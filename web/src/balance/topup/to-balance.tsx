import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useTexts } from '../../texts/use-texts.tsx';

const BALANCE_PATH: string = '/app/balance';

export function ToBalance() {
  return (
    <div>
      <Link
        to={BALANCE_PATH}
        className="target inline-flex items-center gap-1.5 text-table text-muted hover:text-text"
      >
        <ArrowLeft aria-hidden="true" size={16} />
        {useTexts().topup.toBalance}
      </Link>
    </div>
  );
}
