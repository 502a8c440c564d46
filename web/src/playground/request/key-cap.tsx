/** The key on the keyboard that does the same; it is not shown where there is no keyboard. */
export function KeyCap({ children }: { children: string }) {
  return (
    <span
      aria-hidden="true"
      className="rounded-[4px] border border-current/40 px-1.5 font-mono text-xs leading-normal [@media(hover:none)]:hidden"
    >
      {children}
    </span>
  );
}
