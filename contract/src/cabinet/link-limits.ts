/** Words of the company's own by which links are found again. */
export const LINK_TAGS_MAX = 5;
export const TAG_LENGTH_MAX = 30;
