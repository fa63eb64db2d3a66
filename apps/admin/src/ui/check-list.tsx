import styles from './check-list.module.css'

type Option = { value: string; label: string }

type CheckListProps = {
  label: string
  options: readonly Option[]
  chosen: readonly string[]
  choose: (chosen: string[]) => void
}

/** Any of a few. */
export function CheckList({ label, options, chosen, choose }: CheckListProps) {
  const toggle = (value: string) =>
    choose(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  return (
    <fieldset className={styles['list']}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={() => toggle(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

type RadioListProps = {
  label: string
  options: readonly Option[]
  value: string
  choose: (value: string) => void
}

/** One of a few. */
export function RadioList({ label, options, value, choose }: RadioListProps) {
  return (
    <fieldset className={styles['list']}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={label}
            checked={option.value === value}
            onChange={() => choose(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
