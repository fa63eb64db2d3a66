import styles from './spinner.module.css'

/** Something is under way. Decoration only: words beside it say what. */
export const Spinner = () => <span aria-hidden="true" className={styles['spinner']} />
