import { Marked, type Tokens } from 'marked';
import { escapeHtml, type Html } from './html.ts';

/** Where a link of a document may lead. Everything else is shown as text. */
const LINK = /^(?:https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i;

const marked = new Marked({ gfm: true });
marked.use({
  renderer: {
    /** Markup in the text is shown as it is written, not passed on. */
    html({ text, block }: Tokens.HTML | Tokens.Tag): string {
      return block ? `<p>${escapeHtml(text)}</p>\n` : escapeHtml(text);
    },
    link({ href, tokens }: Tokens.Link): string {
      const text = this.parser.parseInline(tokens);
      return LINK.test(href.trim()) ? `<a href="${escapeHtml(href.trim())}">${text}</a>` : text;
    },
    /** The pages show no pictures from elsewhere. */
    image({ text }: Tokens.Image): string {
      return escapeHtml(text);
    },
  },
});

/**
 * Markdown of the operator as markup. Nothing but the markup of Markdown itself comes out: raw HTML
 * is shown as text, and a link leads to a page, a mailbox or a phone, or is none. So it is safe, although
 * the `html` tag did not make it.
 */
export function renderMarkdown(text: string): Html {
  return { markup: marked.parse(text, { async: false }) };
}
