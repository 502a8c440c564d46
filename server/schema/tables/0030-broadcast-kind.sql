-- A file of its own: a value cannot be used in the transaction that adds it to its type.
alter type message_kind add value 'broadcast';
