/** A session ends this long after it was last used. */
export const IDLE_SECONDS = 30 * 60;
/** And this long after it began, however much it is used. */
export const ABSOLUTE_SECONDS = 12 * 3600;
/** How long the second step of a sign-in may take. */
export const SECOND_STEP_SECONDS = 10 * 60;
/** How exactly it is known when a session was last used. */
export const SEEN_STEP_SECONDS = 60;
