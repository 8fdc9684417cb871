# Reads the log of a Maven build (sed -nuE) and lets through what tells how far it is and what went wrong.
s/^\[INFO\] Building (ucxnio: .*[^ ]) +[0-9][^ ]*-?[A-Z]* +\[.*/== \1/p
s/^\[INFO\] Running (org\.ucxnio\.)/   \1/p
# Two JVMs may take turns, so a result names its class.
/^\[[A-Z]+\] Tests run: .* -- in /{
  s/^\[[A-Z]+\] /      /
  s/ -- in .*\./ -- /
  p
  d
}
# A failed test: its message and our part of the stack trace, up to the next line of Maven's own.
/^\[ERROR\] .* <<< (FAILURE|ERROR)!/,/^(\[INFO\]|\[ERROR\] *$)/{
  /^\tat (java|jdk|org\.junit|org\.apache)/d
  /^\[INFO\]|^\[ERROR\] *$|^$/d
  p
  d
}
# What Maven says of itself after an error.
/^\[ERROR\] (-> \[Help|\[Help|Re-run Maven|To see the full|For more information|After correcting|  mvn )/d
/^\[ERROR\] +[^ ]/p
/^\[WARNING\] .*\.java:/p
