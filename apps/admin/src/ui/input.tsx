'use client'

export { Input, type InputRef } from 'antd'
