import { useEffect, useState } from 'react';

/** What is typed is asked about when one stops typing. */
const TYPED_MS = 500;

/** Returns the value as it was when it last stayed the same for a while. @param value is compared as JSON. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
