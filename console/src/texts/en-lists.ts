/** English texts of the lists that only some visits need. */
export const lists = {
  incompleteTime: 'Enter a day, month, year and time.',
  deleteViewDetail: 'Deletes only the saved filters, order and columns.',
  noneForReaders: 'Members with another role add them. Your role can only read.',
  saveViewDetail:
    'Saves the filters, the order and the columns in your account. A view with the same name is replaced.',
  searched:
    'Searched the session IDs, and the summaries, conversations and metadata values of ended sessions. Words match in all forms and by their first 3 letters or more. Use quotation marks for whole words.',
};
