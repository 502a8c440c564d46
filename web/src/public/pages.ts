/** The entry of every page that the server renders: its styles and its small scripts. */
import '../design/fonts.css';
import '../design/tokens.css';
import './page.css';
import './controls.css';
import './documents.css';
import './home.css';
import './site.css';
import './bank.css';
import './status.css';
import { startCalculator } from './calculator.ts';
import { startCodeLanguage } from './code-language.ts';
import { startCopyButtons } from './copy-buttons.ts';
import { startLanguageSwitch } from './language-switch.ts';
import { startThemeSwitch } from './theme-switch.ts';

startCopyButtons();
startThemeSwitch();
startLanguageSwitch();
startCodeLanguage();
startCalculator();
