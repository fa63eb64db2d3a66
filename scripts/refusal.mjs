/** A failure with one clear line for its reader; it is shown without a stack. */
export class Refusal extends Error {}

/** The work was given up because somebody asked for it (Ctrl-C, SIGTERM). */
export class Interrupted extends Error {}
