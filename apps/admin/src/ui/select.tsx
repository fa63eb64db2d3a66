'use client'

export { Select } from 'antd'
