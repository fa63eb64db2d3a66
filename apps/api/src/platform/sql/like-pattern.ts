/** A text that LIKE takes by its letters: `%`, `_` and `\` mean themselves. */
export const likePattern = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
