import { Tag } from 'lucide-react';
import { Chip } from '../ui/display/chip.tsx';

export function TagsList({ tags }: { tags: readonly string[] }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {tags.map((tag) => (
        <Chip key={tag} tone="calm" icon={Tag}>
          {tag}
        </Chip>
      ))}
    </span>
  );
}
