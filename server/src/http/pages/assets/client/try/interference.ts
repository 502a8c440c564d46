import { find } from '../dom.ts';
import { putSwitches, type Switches } from './server.ts';

/** The switches show what the server has, never what was only wished for. */
export function wireInterference(
  initial: Switches,
  onFailure: () => void,
): { show(switches: Switches): void } {
  let known = initial;

  function show(): void {
    for (const box of boxes()) {
      box.disabled = false;
      box.checked = known[box.name as keyof Switches] ?? false;
    }
  }

  async function change(): Promise<void> {
    const wished = Object.fromEntries(boxes().map((box) => [box.name, box.checked]));
    try {
      known = await putSwitches({ ...known, ...wished });
    } catch {
      onFailure();
    }
    show();
  }

  show();
  for (const box of boxes()) box.addEventListener('change', () => void change());
  return {
    show(switches) {
      known = switches;
      show();
    },
  };
}

function boxes(): HTMLInputElement[] {
  return [...find('switches', HTMLFieldSetElement).querySelectorAll('input')];
}
