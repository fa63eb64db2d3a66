import 'next-auth'

declare module 'next-auth' {
  interface User {
    id: string
    operatorToken: string
  }
}
