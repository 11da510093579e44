// For the files of the module, which have the codec beside them where they are built.
@_exported import Wire
