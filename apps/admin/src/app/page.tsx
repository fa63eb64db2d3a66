import { redirect } from 'next/navigation'
import { paths } from '../paths.ts'

export default function Home() {
  redirect(paths.home())
}
