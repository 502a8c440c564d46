/** Keys that are pressed one after another, as they stand on a keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-1">
      {keys.split(' ').map((key, place) => (
        <kbd
          key={place}
          className="min-w-6 rounded-[4px] border border-hairline px-1.5 text-center font-mono text-sm text-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
