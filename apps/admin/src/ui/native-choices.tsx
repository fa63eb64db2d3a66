import styles from './check-list.module.css'
import layout from './layout.module.css'

type ListProps = { label: string; options: readonly { value: string; label: string }[] }

type MarkListProps = ListProps & {
  type: 'checkbox' | 'radio'
  isChosen: (value: string) => boolean
  choose: (value: string) => void
}

const MarkList = ({ label, options, type, isChosen, choose }: MarkListProps) => (
  <fieldset className={styles['list']}>
    <legend>{label}</legend>
    {options.map((option) => (
      <label key={option.value}>
        <input
          type={type}
          name={type === 'radio' ? label : undefined}
          checked={isChosen(option.value)}
          onChange={() => choose(option.value)}
        />
        {option.label}
      </label>
    ))}
  </fieldset>
)

type CheckListProps = ListProps & { chosen: readonly string[]; choose: (chosen: string[]) => void }

/** Any of a few. */
export function CheckList({ chosen, choose, ...list }: CheckListProps) {
  const isChosen = (value: string) => chosen.includes(value)
  const toggle = (value: string) =>
    choose(isChosen(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  return <MarkList {...list} type="checkbox" isChosen={isChosen} choose={toggle} />
}

type RadioListProps = ListProps & { value: string; choose: (value: string) => void }

/** One of a few. */
export const RadioList = ({ value, ...list }: RadioListProps) => (
  <MarkList {...list} type="radio" isChosen={(option) => option === value} />
)

type NativeSelectProps = {
  id: string
  'aria-describedby'?: string
  'aria-invalid': boolean
  options: readonly { value: string; label: string }[]
  /** What stands there while nothing that is offered is chosen. */
  empty: string
  value: string
  choose: (value: string) => void
}

/** The browser's own list of choices: light enough to stand many times on a page, and above every dialog. */
export function NativeSelect({ options, empty, value, choose, ...attributes }: NativeSelectProps) {
  const known = options.some((option) => option.value === value)
  return (
    <select
      {...attributes}
      className={layout['select']}
      value={known ? value : ''}
      onChange={(event) => choose(event.target.value)}
    >
      {!known && <option value="">{value || empty}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
